import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { explain } from '@/lib/api/errors';
import { customerQuery } from '../api/customers';
import type { Trail } from '../api/help';
import { useMay } from '../api/rights';
import { undecided } from '../customers/customer-help';
import { intents } from '../customers/customer-intents';
import { MoneyBack } from '../customers/customer-money';
import { usePageActs } from '../shell/palette';
import { Offer } from '../shared/offer';
import { ReasonedAct } from '../shared/reasoned-act';

type Open = 'ask' | 'refund' | 'release';

/** The acts of a payment: to ask its gateway, or to refund it. The customer is fetched only then, because every view of one is audited. */
export function TrailActs({ trail }: { trail: Trail }) {
  const { payment, requests, left_paise: left, owed_paise: owed } = trail;
  const [open, setOpen] = useState<Open>();
  const customer = useQuery({ ...customerQuery(payment.customer_id), enabled: open !== undefined });
  const mayRefund = useMay('money');
  const mayAsk = useMay('help', 'money') && undecided.has(payment.state);
  const waits = requests.some(({ state }) => state === 'waiting' || state === 'approved');
  const refunds = mayRefund && !waits && (owed > 0 || (payment.state === 'paid' && !payment.surplus && left > 0));
  const releases = mayRefund && !waits && payment.state === 'held' && !payment.surplus;
  const all: [offered: boolean, open: Open, label: string, words: string][] = [
    [mayAsk, 'ask', 'Ask the gateway', 'check status'],
    [refunds, 'refund', owed > 0 ? 'Book a bank transfer' : 'Refund or credit note', 'give money back'],
    [releases, 'release', 'Give it back', 'refund held money'],
  ];
  const acts = all.flatMap(([offered, what, label, words]) => {
    const run = () => {
      setOpen(what);
      if (customer.error) void customer.refetch();
    };
    return offered ? [{ what, label, words, run }] : [];
  });
  usePageActs(acts);
  const close = () => setOpen(undefined);
  return (
    <>
      {acts.map(({ what, label, run }) => (
        <Offer
          key={what}
          variant={what === 'release' ? 'primary' : 'outline'}
          pending={open !== undefined && customer.isFetching && !customer.data}
          onClick={run}
        >
          {label}
        </Offer>
      ))}
      {open && customer.error && !customer.data && (
        <p role="alert" className="console-error">
          {explain(customer.error)}
        </p>
      )}
      {open === 'ask' && customer.data && (
        <ReasonedAct intent={intents(customer.data).payment(payment.id, payment.transaction_id)} onClose={close} />
      )}
      {open && open !== 'ask' && customer.data && (
        <MoneyBack customer={customer.data} payment={payment.id} held={open === 'release'} onClose={close} />
      )}
    </>
  );
}
