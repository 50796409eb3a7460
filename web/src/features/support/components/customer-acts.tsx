import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Link } from 'react-router';
import { Button } from '@/components/button';
import { newIdempotencyKey } from '@/lib/idempotency-key';
import { toast } from '@/lib/toast';
import { type Customer, type Done, type TimelineEntry } from '../api/customers';
import { askGateway, endSessions, extendGrace, recheckDomain, resendInvoice, unlock } from '../api/help';
import { meQuery } from '../api/queries';
import type { EntryActs } from './customer-entry';
import { MoneyBack } from './customer-money';
import { ViewAs } from './customer-view-as';
import { ReasonDialog } from './reason-dialog';
import { askedFor, underWay } from './request-words';
import { useCustomerRefresh } from './use-customer-refresh';

/** What somebody is about to do for the customer. */
interface Intent {
  title: string;
  effect: string;
  label: string;
  usual: string[];
  act: (reason: string, key: string) => Promise<Done>;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const undecided = new Set(['created', 'pending', 'failed', 'expired']);
const graceful = new Set(['active', 'grace', 'expired']);

function intents(c: Customer) {
  return {
    unlock: {
      title: 'Unlock the sign-in',
      effect:
        'Wrong codes, wrong passwords and the day’s SMS are forgotten. The customer can ask for a code and sign in at once.',
      label: 'Unlock',
      usual: ['Locked out by wrong codes', 'No SMS arrived', 'Wrong password too often'],
      act: (reason: string, key: string) => unlock(c.id, reason, key),
    },
    sessions: {
      title: 'End all sessions',
      effect: 'The customer is signed out on every device, at once, and signs in again with the password.',
      label: 'End sessions',
      usual: ['Lost phone', 'A sign-in that the customer does not know'],
      act: (reason: string, key: string) => endSessions(c.id, reason, key),
    },
    domain: {
      title: `Recheck ${c.domain}`,
      effect: 'A worker asks DNS now. What it finds will stand in the timeline.',
      label: 'Recheck',
      usual: ['The customer has set the records', 'The domain shows an error'],
      act: (reason: string, key: string) => recheckDomain(c.id, reason, key),
    },
    payment: (id: string, reference: string) => ({
      title: `Ask the gateway about ${reference}`,
      effect: 'A worker asks the gateway now what became of the payment, and settles the answer. Nothing is charged.',
      label: 'Ask the gateway',
      usual: ['The customer says that the bank has charged it', 'The payment hangs'],
      act: (reason: string, key: string) => askGateway(c.id, id, reason, key),
    }),
    invoice: (id: string, number: string) => ({
      title: `Send ${number}`,
      effect: 'The customer gets an SMS with the number and the page where it is downloaded.',
      label: 'Send by SMS',
      usual: ['The customer cannot find it', 'The customer asked for it'],
      act: (reason: string, key: string) => resendInvoice(c.id, id, reason, key),
    }),
  } satisfies Record<string, Intent | ((id: string, name: string) => Intent)>;
}

function Grace({
  customer: c,
  onDone,
  onClose,
}: {
  customer: Customer;
  onDone: (done: Done) => void;
  onClose: () => void;
}) {
  const [days, setDays] = useState(3);
  const [key] = useState(newIdempotencyKey);
  return (
    <ReasonDialog
      title="Extend the grace"
      effect="Everything goes on working, and a renewal continues from the old end."
      label={`Give ${days} ${days === 1 ? 'day' : 'days'}`}
      suggestions={['The bank holds the payment up', 'The customer is travelling']}
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

/** Asks why, does it once however often it is sent, and says what came of it. */
function Act({ intent, onDone, onClose }: { intent: Intent; onDone: (done: Done) => void; onClose: () => void }) {
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

/** The help that can be given to the customer now, as buttons, and what each entry of the timeline offers. */
export function useActs(c: Customer): { buttons: ReactNode; forEntry: EntryActs; dialog: ReactNode } {
  const [open, setOpen] = useState<Intent | 'grace' | 'view' | { payment: string; held: boolean }>();
  const refresh = useCustomerRefresh(c.id);
  const me = useQuery(meQuery);
  const close = () => setOpen(undefined);
  const done = ({ message }: { message: string }) => {
    close();
    toast.success(message);
    refresh();
  };
  const all = intents(c);
  const isAdmin = me.data?.role === 'admin';
  const forEntry = (entry: TimelineEntry) => {
    const payment = text(entry.details.payment_id);
    const request = c.open_requests.find((one) => one.payment_id === payment);
    if (entry.kind === 'payment' && request) {
      return request.state === 'waiting' ? (
        <p className="entry-request">
          {request.requested_by_name} asked for {askedFor(request.kind, request.amount)}.{' '}
          <Link to="/support/approvals?state=waiting">A second admin has to approve it.</Link>
        </p>
      ) : (
        <p className="entry-request">{underWay(request.kind, request.amount)}</p>
      );
    }
    if (entry.kind === 'payment' && undecided.has(entry.status))
      return (
        <Button variant="outline" size="sm" onClick={() => setOpen(all.payment(payment, entry.reference))}>
          Ask the gateway now
        </Button>
      );
    if (entry.kind === 'payment' && entry.status === 'held' && isAdmin && !entry.details.going_back)
      return (
        <Button variant="outline" size="sm" onClick={() => setOpen({ payment, held: true })}>
          Give it back
        </Button>
      );
    if (entry.kind === 'payment' && entry.details.refund_failed && isAdmin)
      return (
        <Button variant="outline" size="sm" onClick={() => setOpen({ payment, held: false })}>
          Book a bank transfer
        </Button>
      );
    if (entry.kind === 'payment' && entry.status === 'paid' && isAdmin)
      return (
        <Button variant="outline" size="sm" onClick={() => setOpen({ payment, held: false })}>
          Refund or credit note
        </Button>
      );
    if (entry.id.startsWith('invoice.') && !c.erased)
      return (
        <Button
          variant="outline"
          size="sm"
          onClick={() => setOpen(all.invoice(text(entry.details.invoice_id), entry.reference))}
        >
          Send by SMS
        </Button>
      );
    return null;
  };
  const buttons = !c.erased && (
    <div className="customer-acts" role="group" aria-label="Help">
      <Button size="sm" onClick={() => setOpen('view')}>
        Look at the account
      </Button>
      <Button variant="outline" size="sm" onClick={() => setOpen(all.unlock)}>
        Unlock sign-in
      </Button>
      {c.open_sessions > 0 && (
        <Button variant="outline" size="sm" onClick={() => setOpen(all.sessions)}>
          End sessions
        </Button>
      )}
      {c.last_payment_id && undecided.has(c.payment_state) && (
        <Button
          variant="outline"
          size="sm"
          onClick={() => setOpen(all.payment(c.last_payment_id ?? '', 'the last payment'))}
        >
          Ask the gateway
        </Button>
      )}
      {c.domain && (
        <Button variant="outline" size="sm" onClick={() => setOpen(all.domain)}>
          Recheck domain
        </Button>
      )}
      {graceful.has(c.state) && (
        <Button variant="outline" size="sm" onClick={() => setOpen('grace')}>
          Extend grace
        </Button>
      )}
    </div>
  );
  const dialog =
    open === 'view' ? (
      <ViewAs customer={c} onClose={close} />
    ) : open === 'grace' ? (
      <Grace customer={c} onDone={done} onClose={close} />
    ) : open && 'payment' in open ? (
      <MoneyBack customer={c} payment={open.payment} held={open.held} onDone={done} onClose={close} />
    ) : (
      open && <Act intent={open} onDone={done} onClose={close} />
    );
  return { buttons, forEntry, dialog };
}
