import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '@/ui/button';
import { newIdempotencyKey } from '@/lib/idempotency-key';
import { explain } from '@/lib/api/errors';
import { customerQuery } from '../api/customers';
import type { Trail } from '../api/help';
import { useMay } from '../api/rights';
import { undecided } from '../customers/customer-help';
import { intents } from '../customers/customer-intents';
import { MoneyBack } from '../customers/customer-money';
import { usePageActs } from '../shell/palette';
import { ReasonDialog } from '../shared/reason-dialog';

/** The acts of a payment: to ask its gateway, or to refund it. The customer is fetched only then, because every view of one is audited. */
export function TrailActs({ trail }: { trail: Trail }) {
  const { payment, requests, left_paise: left, owed_paise: owed } = trail;
  const [open, setOpen] = useState<'ask' | 'refund'>();
  const [key] = useState(newIdempotencyKey);
  const customer = useQuery({ ...customerQuery(payment.customer_id), enabled: open !== undefined });
  const mayRefund = useMay('money');
  const mayAsk = useMay('help', 'money') && undecided.has(payment.state);
  const waits = requests.some(({ state }) => state === 'waiting' || state === 'approved');
  const refunds = mayRefund && !waits && (owed > 0 || (payment.state === 'paid' && !payment.surplus && left > 0));
  const acts = [
    ...(mayAsk ? [{ label: 'Ask the gateway', words: 'check status', run: () => setOpen('ask') }] : []),
    ...(refunds
      ? [
          {
            label: owed > 0 ? 'Book a bank transfer' : 'Refund or credit note',
            words: 'give money back',
            run: () => setOpen('refund'),
          },
        ]
      : []),
  ];
  usePageActs(acts);
  const close = () => setOpen(undefined);
  const ask = customer.data && intents(customer.data).payment(payment.id, payment.transaction_id);
  return (
    <>
      {acts.map(({ label, run }) => (
        <Button
          key={label}
          variant="outline"
          size="sm"
          pending={open !== undefined && customer.isLoading}
          onClick={run}
        >
          {label}
        </Button>
      ))}
      {open && customer.error && !customer.data && (
        <p role="alert" className="console-error">
          {explain(customer.error)}
        </p>
      )}
      {open === 'ask' && ask && (
        <ReasonDialog
          title={ask.title}
          effect={<p>{ask.effect}</p>}
          label={ask.label}
          suggestions={ask.usual}
          act={(reason) => ask.act(reason, key)}
          onClose={close}
        />
      )}
      {open === 'refund' && customer.data && (
        <MoneyBack customer={customer.data} payment={payment.id} held={false} onClose={close} />
      )}
    </>
  );
}
