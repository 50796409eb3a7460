import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Button } from '@/components/button';
import { newIdempotencyKey } from '@/lib/idempotency-key';
import { toast } from '@/lib/toast';
import { type Customer, type Done, type TimelineEntry } from '../api/customers';
import { extendGrace } from '../api/help';
import { decideAct, type ActContent } from '../api/acts';
import { meQuery } from '../api/queries';
import { may, type Role } from '../api/rights';
import { ActDialog } from './act-dialog';
import { decisions } from './act-words';
import type { EntryActs } from './customer-entry';
import { MoneyBack } from './customer-money';
import { ViewAs } from './customer-view-as';
import { ChangeMobile } from './change-mobile';
import { CorrectRecipient, type BilledInvoice } from './correct-recipient';
import { intents, type Intent } from './customer-intents';
import { customerName } from './customer-words';
import { OpenDocument } from './open-document';
import { ReasonDialog } from './reason-dialog';
import { CorrectOffer, UnderWay } from './open-request';
import { isAskedFor } from './request-words';
import { SwitchPlan } from './switch-plan';
import { useCustomerRefresh } from './use-customer-refresh';

/** The open dialog. */
type Open =
  | Intent
  | 'grace'
  | 'mobile'
  | 'switch'
  | 'stop'
  | 'view'
  | { payment: string; held: boolean }
  | { ask: ActContent }
  | { billed: BilledInvoice };

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const undecided = new Set(['created', 'pending', 'failed', 'expired']);
const open = new Set(['created', 'pending']);
const graceful = new Set(['active', 'grace', 'expired']);

interface ActProps {
  onDone: (done: Pick<Done, 'message'>) => void;
  onClose: () => void;
}

function Grace({ customer: c, onDone, onClose }: ActProps & { customer: Customer }) {
  const [days, setDays] = useState(3);
  const [key] = useState(newIdempotencyKey);
  return (
    <ReasonDialog
      title="Extend the grace"
      effect="Everything keeps working, and a renewal continues from the old end."
      label={`Give ${days} ${days === 1 ? 'day' : 'days'}`}
      suggestions={['The bank is holding the payment up', 'The customer is travelling']}
      act={(reason) => extendGrace(c.id, days, reason, `${key}-${days}`)}
      onDone={onDone}
      onClose={onClose}
    >
      <label htmlFor="grace-days">Days more</label>
      <select id="grace-days" className="input" value={days} onChange={(event) => setDays(Number(event.target.value))}>
        {[1, 2, 3, 5, 7, 10, 14, 20].map((one) => (
          <option key={one}>{one}</option>
        ))}
      </select>
    </ReasonDialog>
  );
}

/** Asks for a reason, acts once however often it is submitted, and reports the outcome. */
function Act({ intent, onDone, onClose }: ActProps & { intent: Intent }) {
  const [key] = useState(newIdempotencyKey);
  return (
    <ReasonDialog
      title={intent.title}
      effect={<p>{intent.effect}</p>}
      label={intent.label}
      suggestions={intent.usual}
      act={(reason) => intent.act(reason, key)}
      onDone={onDone}
      onClose={onClose}
    />
  );
}

/** Stops the change of a lost mobile that waits for its time. */
function StopChange({ customer: c, onDone, onClose }: ActProps & { customer: Customer }) {
  const { effect, usual } = decisions.stop;
  return (
    <ReasonDialog
      title="Stop the change of mobile"
      effect={effect}
      label="Stop it"
      suggestions={usual}
      act={(reason) => decideAct(c.mobile_change?.act_id ?? '', 'stop', reason)}
      onDone={onDone}
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

function Offer({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <Button variant="outline" size="sm" onClick={onClick}>
      {children}
    </Button>
  );
}

/** The actions available at any time. */
function HelpButtons({ customer: c, role, onOpen }: HelpProps) {
  const all = intents(c);
  const payment = c.last_payment && undecided.has(c.last_payment.state) ? c.last_payment.id : null;
  const ask = payment && (
    <Offer onClick={() => onOpen(all.payment(payment, 'the last payment'))}>Ask the gateway</Offer>
  );
  if (!may(role, 'help'))
    return (
      ask &&
      may(role, 'money') && (
        <div className="customer-acts" role="group" aria-label="Help">
          {ask}
        </div>
      )
    );
  return (
    <div className="customer-acts" role="group" aria-label="Help">
      <Button size="sm" onClick={() => onOpen('view')}>
        Look at the account
      </Button>
      <Offer onClick={() => onOpen(all.unlock)}>Unlock sign-in</Offer>
      {c.open_sessions > 0 && <Offer onClick={() => onOpen(all.sessions)}>End sessions</Offer>}
      {ask}
      {c.domain && <Offer onClick={() => onOpen(all.domain)}>Recheck domain</Offer>}
      {graceful.has(c.state) && <Offer onClick={() => onOpen('grace')}>Extend grace</Offer>}
      {c.state === 'active' && !isAskedFor(c, 'switch_plan') && (
        <>
          <Offer onClick={() => onOpen('switch')}>Switch the plan</Offer>
          <Offer onClick={() => onOpen({ ask: { kind: 'cancel_plan', customer_id: c.id } })}>Cancel the plan</Offer>
        </>
      )}
      {c.totp_enabled && !isAskedFor(c, 'reset_authenticator') && (
        <Offer onClick={() => onOpen({ ask: { kind: 'reset_authenticator', customer_id: c.id } })}>
          Reset authenticator
        </Offer>
      )}
      {c.mobile_change ? (
        <Offer onClick={() => onOpen('stop')}>Stop the change of mobile</Offer>
      ) : (
        !isAskedFor(c, 'change_mobile') && <Offer onClick={() => onOpen('mobile')}>Change a lost mobile</Offer>
      )}
    </div>
  );
}

interface DialogProps {
  customer: Customer;
  open: Open;
  onDone: (done: Pick<Done, 'message'>) => void;
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
  return <Act {...rest} intent={open} />;
}

/** The actions currently available for the customer, as buttons, and those of each timeline entry. */
export function useActs(c: Customer): { buttons: ReactNode; forEntry: EntryActs; dialog: ReactNode } {
  const [open, setOpen] = useState<Open>();
  const refresh = useCustomerRefresh(c.id);
  const me = useQuery(meQuery);
  const close = () => setOpen(undefined);
  const done = ({ message }: { message: string }) => {
    close();
    toast.success(message);
    refresh();
  };
  const help = { customer: c, role: me.data?.role, onOpen: setOpen };
  return {
    buttons: !c.erased && <HelpButtons {...help} />,
    forEntry: (entry) => <EntryHelp {...help} entry={entry} />,
    dialog: open && <Dialog customer={c} open={open} onDone={done} onClose={close} />,
  };
}
