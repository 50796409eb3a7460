type BadgeTone = 'success' | 'warning' | 'danger';

const kinds: Record<string, string> = {
  account: 'Account', code: 'Code', message: 'Message', session: 'Sign-in', order: 'Order', payment: 'Payment', gateway: 'Gateway', refund: 'Refund', document: 'Document', ledger: 'Books',
  subscription: 'Plan', domain: 'Domain', job: 'Job', staff: 'Staff',
};

/** A timeline's kind as people call it. */
export const kindName = (kind: string): string => kinds[kind] ?? kind;

const actions: Record<string, string> = {
  open_customer: 'Opened the page', ask_view: 'Asked for the customer’s consent', begin_view: 'Looked at the account', end_view: 'Stopped looking at the account', unlock: 'Unlocked the sign-in',
  end_sessions: 'Ended all sessions', resend_invoice: 'Sent a document', ask_gateway: 'Asked the gateway', recheck_domain: 'Rechecked the domain', extend_grace: 'Extended the grace', move_contact: 'Moved a contact request',
  rerun_job: 'Reran a job', cancel_job: 'Cancelled a job', dismiss_job: 'Dismissed a job', snooze_job: 'Snoozed a job', export_audit: 'Exported the audit trail',
};

/** What staff did, in words. */
export const actionName = (action: string): string => actions[action] ?? `${action.charAt(0).toUpperCase()}${action.slice(1).replaceAll('_', ' ')}`;

const good = new Set(['done', 'used', 'sent', 'paid', 'success', 'completed', 'active', 'ready', 'trialing', 'captured']);
const bad = new Set(['failed', 'discarded', 'broken', 'expired', 'lapsed', 'held', 'failure', 'cancelled', 'not sent', 'no PDF yet']);
const waiting = new Set(['waiting', 'pending', 'created', 'requested', 'retryable', 'running', 'available', 'scheduled', 'open', 'grace']);

/** How a status is meant: as it should be, wrong, on its way, or neither. */
export function toneOf(status: string): BadgeTone | undefined {
  if (good.has(status)) return 'success';
  if (bad.has(status)) return 'danger';
  return waiting.has(status) ? 'warning' : undefined;
}

const steps: [seconds: number, unit: Intl.RelativeTimeFormatUnit][] = [[60, 'second'], [3600, 'minute'], [86_400, 'hour'], [2_592_000, 'day'], [31_536_000, 'month'], [Infinity, 'year']];
const sizes: Record<string, number> = { second: 1, minute: 60, hour: 3600, day: 86_400, month: 2_592_000, year: 31_536_000 };

/** How long ago an instant of the API is: "5 min. ago". `now` is in milliseconds. */
export function ago(instant: string, now: number): string {
  const seconds = (Date.parse(instant) - now) / 1000;
  const [, unit] = steps.find(([limit]) => Math.abs(seconds) < limit) ?? [0, 'year' as const];
  return new Intl.RelativeTimeFormat('en-IN', { numeric: 'auto', style: 'short' }).format(Math.round(seconds / (sizes[unit] ?? 1)), unit);
}

/** An amount in paise as people read it: "₹1,59,300". */
export function rupees(paise: number): string {
  const fraction = paise % 100 === 0 ? 0 : 2;
  return `₹${(paise / 100).toLocaleString('en-IN', { minimumFractionDigits: fraction, maximumFractionDigits: fraction })}`;
}
