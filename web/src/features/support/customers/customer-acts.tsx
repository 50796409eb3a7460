import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { NativeSelectField } from '@/ui/form/native-select-field';
import { newIdempotencyKey } from '@/lib/idempotency-key';
import type { Customer, TimelineEntry } from '../api/customers';
import { extendGrace } from '../api/help';
import { decideAct } from '../api/acts';
import { meQuery } from '../api/queries';
import { may, type Role } from '../api/rights';
import { ActDialog } from '../shared/act-dialog';
import { decisions } from '../staff/act-words';
import type { EntryActs } from './customer-entry';
import { MoneyBack } from './customer-money';
import { ViewAs } from './customer-view-as';
import { ChangeMobile } from './change-mobile';
import { CorrectRecipient, type BilledInvoice } from '../money/correct-recipient';
import { actsOf, HelpButtons, undecided, type Open } from './customer-help';
import { intents } from './customer-intents';
import { customerName } from './customer-words';
import { OpenDocument } from '../money/open-document';
import type { PageAct } from '../shell/palette';
import { Offer } from '../shared/offer';
import { ReasonDialog } from '../shared/reason-dialog';
import { ReasonedAct } from '../shared/reasoned-act';
import { CorrectOffer, UnderWay } from './open-request';
import { SwitchPlan } from '../money/switch-plan';

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const open = new Set(['created', 'pending']);

/** Sends a document again; undefined if the role may not. */
type SendDocument = ((invoice: string, number: string) => void) | undefined;

interface ActProps {
  onClose: () => void;
}

/** How many days of grace can be given at once. */
export const graceDays = ['1', '2', '3', '5', '7', '10', '14', '20'].map((days) => [days, days] as const);

function Grace({ customer: c, onClose }: ActProps & { customer: Customer }) {
  const [key] = useState(newIdempotencyKey);
  return (
    <ReasonDialog
      title="Extend the grace"
      effect="Everything keeps working, and a renewal continues from the old end."
      label={({ days }) => `Give ${days} ${days === '1' ? 'day' : 'days'}`}
      suggestions={['The bank is holding the payment up', 'The customer is travelling']}
      values={{ days: '3' }}
      act={(reason, _, { days }) => extendGrace(c.id, Number(days), reason, `${key}-${days}`)}
      onClose={onClose}
    >
      <NativeSelectField name="days" label="Days more" options={graceDays} />
    </ReasonDialog>
  );
}

/** Stops the change of a lost mobile that waits for its time. */
function StopChange({ customer: c, onClose }: ActProps & { customer: Customer }) {
  const { effect, usual } = decisions.stop;
  return (
    <ReasonDialog
      title="Stop the change of mobile"
      effect={effect}
      label="Stop it"
      suggestions={usual}
      act={(reason) => decideAct(c.mobile_change?.act_id ?? '', 'stop', reason)}
      onClose={onClose}
    />
  );
}

interface HelpProps {
  customer: Customer;
  role: Role | undefined;
  onOpen: (open: Open) => void;
}

/** The actions available for a timeline entry. */
function EntryHelp({ customer: c, role, onOpen, entry }: HelpProps & { entry: TimelineEntry }) {
  const all = intents(c);
  const { kind, status, details, reference } = entry;
  const payment = text(details.payment_id);
  const request = c.open_requests.find((one) => payment !== '' && one.payment_id === payment);
  if (kind === 'payment' && request) return <UnderWay request={request} />;
  const mayRefund = may(role, 'money');
  if (!mayRefund && !may(role, 'help')) return null;
  if (kind === 'payment' && undecided.has(status))
    return (
      <>
        <Offer onClick={() => onOpen(all.payment(payment, reference))}>Ask the gateway now</Offer>
        {details.by_mandate === true && open.has(status) && may(role, 'help') && (
          <Offer onClick={() => onOpen({ ask: { kind: 'end_debit', customer_id: c.id, payment_id: payment } })}>
            End the debit
          </Offer>
        )}
      </>
    );
  if (kind === 'payment' && status === 'held' && !details.going_back)
    return (
      <>
        {mayRefund && <Offer onClick={() => onOpen({ payment, held: true })}>Give it back</Offer>}
        {Number(details.missing_paise) > 0 && may(role, 'help') && (
          <Offer onClick={() => onOpen({ ask: { kind: 'short_payment', customer_id: c.id, payment_id: payment } })}>
            Accept it
          </Offer>
        )}
      </>
    );
  if (kind === 'payment' && details.refund_failed && mayRefund)
    return <Offer onClick={() => onOpen({ payment, held: false })}>Book a bank transfer</Offer>;
  if (kind === 'payment' && status === 'paid' && mayRefund)
    return <Offer onClick={() => onOpen({ payment, held: false })}>Refund or credit note</Offer>;
  if (entry.id.startsWith('invoice.')) {
    const invoice = text(details.invoice_id);
    return (
      <>
        <OpenDocument customer={c.id} invoice={invoice} number={reference} />
        {!c.erased && <Offer onClick={() => onOpen(all.invoice(invoice, reference))}>Send by SMS</Offer>}
        {!c.erased && details.document === 'invoice' && status !== 'replaced' && may(role, 'help') && (
          <CorrectOffer request={c.open_requests.find((one) => one.invoice_id === invoice)}>
            <Offer onClick={() => onOpen({ billed: billedInvoice(entry) })}>Correct the recipient</Offer>
          </CorrectOffer>
        )}
      </>
    );
  }
  return null;
}

function billedInvoice({ reference, details }: TimelineEntry): BilledInvoice {
  return {
    id: text(details.invoice_id),
    number: reference,
    name: text(details.billed_to),
    address: text(details.billed_address),
    state: text(details.billed_state),
    gstin: text(details.billed_gstin),
  };
}

interface DialogProps {
  customer: Customer;
  open: Open;
  onClose: () => void;
}

function Dialog({ open, ...rest }: DialogProps) {
  if (open === 'view') return <ViewAs customer={rest.customer} onClose={rest.onClose} />;
  if (open === 'grace') return <Grace {...rest} />;
  if (open === 'switch') return <SwitchPlan {...rest} />;
  if (open === 'stop') return <StopChange {...rest} />;
  if (open === 'mobile') return <ChangeMobile {...rest} />;
  if ('billed' in open) return <CorrectRecipient {...rest} invoice={open.billed} />;
  if ('ask' in open) return <ActDialog {...rest} content={open.ask} who={customerName(rest.customer)} />;
  if ('payment' in open) return <MoneyBack {...rest} payment={open.payment} held={open.held} />;
  return <ReasonedAct {...rest} intent={open} />;
}

/** What staff can do for the customer: buttons, the same for the palette, and the acts of each timeline entry. */
export function useActs(c: Customer): {
  buttons: ReactNode;
  list: PageAct[];
  forEntry: EntryActs;
  send: SendDocument;
  dialog: ReactNode;
} {
  const [open, setOpen] = useState<Open>();
  const me = useQuery(meQuery);
  const close = () => setOpen(undefined);
  const role = me.data?.role;
  const help = { customer: c, role, onOpen: setOpen };
  const acts = c.erased ? [] : actsOf(c, role, setOpen);
  const view = !c.erased && may(role, 'help') ? () => setOpen('view') : undefined;
  const maySend = !c.erased && (may(role, 'help') || may(role, 'money'));
  return {
    buttons: <HelpButtons acts={acts} onView={view} />,
    list: [...(view ? [{ label: 'Look at the account', words: 'view as customer consent', run: view }] : []), ...acts],
    forEntry: (entry) => <EntryHelp {...help} entry={entry} />,
    send: maySend ? (invoice, number) => setOpen(intents(c).invoice(invoice, number)) : undefined,
    dialog: open && <Dialog customer={c} open={open} onClose={close} />,
  };
}
