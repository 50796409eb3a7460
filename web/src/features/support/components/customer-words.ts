import { formatMobile } from '@/lib/format';
import type { AuditAction, AuditActionFilter } from '../api/help';

type BadgeTone = 'success' | 'warning' | 'danger';

const kinds: Record<string, string> = {
  account: 'Account',
  code: 'Code',
  message: 'Message',
  session: 'Sign-in',
  order: 'Order',
  payment: 'Payment',
  gateway: 'Gateway',
  refund: 'Refund',
  document: 'Document',
  ledger: 'Books',
  subscription: 'Plan',
  domain: 'Domain',
  job: 'Job',
  staff: 'Staff',
};

/** A timeline's kind as people call it. */
export const kindName = (kind: string): string => kinds[kind] ?? kind;

const actors: Record<string, string> = {
  customer: 'Customer',
  visitor: 'Not signed in',
  gateway: 'Gateway',
  system: 'System',
  staff: 'Staff',
};

/** Who did it, as people call them; of the staff their name. */
export const actorName = (actor: string): string => actors[actor] ?? actor;

/** Each kind of action by its name, in the order in which they are offered. */
const actions: Record<AuditAction, string> = {
  search: 'Searched for customers',
  open_customer: 'Opened the page',
  read_timeline: 'Read the timeline',
  read_trail: 'Followed a payment',
  read_mobile: 'Looked at a sign-up',
  read_list: 'Read a list',
  ask_view: 'Asked for the customer’s consent',
  begin_view: 'Looked at the account',
  end_view: 'Stopped looking at the account',
  export_audit: 'Exported the audit trail',
  export_credit_notes: 'Exported the credit notes',
  unlock: 'Unlocked the sign-in',
  end_sessions: 'Ended all sessions',
  resend_invoice: 'Sent a document',
  recheck_domain: 'Rechecked the domain',
  extend_grace: 'Extended the grace',
  move_contact: 'Moved a contact request',
  ask_gateway: 'Asked the gateway',
  request_refund: 'Asked for a refund',
  approve_refund: 'Approved a refund',
  decline_refund: 'Declined a refund',
  request_credit_note: 'Asked for a credit note',
  approve_credit_note: 'Approved a credit note',
  decline_credit_note: 'Declined a credit note',
  request_bank_transfer: 'Asked for a bank transfer to be booked',
  approve_bank_transfer: 'Approved the booking of a bank transfer',
  decline_bank_transfer: 'Declined the booking of a bank transfer',
  request_release: 'Asked for the release of a held payment',
  approve_release: 'Approved the release of a held payment',
  decline_release: 'Declined the release of a held payment',
  request_chargeback: 'Asked for the booking of a lost dispute',
  approve_chargeback: 'Approved the booking of a lost dispute',
  decline_chargeback: 'Declined the booking of a lost dispute',
  close_dispute: 'Closed a dispute',
  record_input_tax: 'Recorded an input tax credit',
  compare_settlements: 'Had settlements compared',
  acknowledge_difference: 'Acknowledged a difference',
  lock_books: 'Locked the books',
  unlock_books: 'Opened locked books',
  rerun_job: 'Reran a job',
  cancel_job: 'Cancelled a job',
  dismiss_job: 'Dismissed a job',
  snooze_job: 'Snoozed a job',
  pause_queue: 'Paused a queue',
  resume_queue: 'Resumed a queue',
  sign_in: 'Signed in',
  sign_in_failed: 'Sign-in failed',
  staff_created: 'Account of staff made',
  staff_changed: 'Account of staff changed',
  staff_disabled: 'Account of staff disabled',
  staff_enabled: 'Account of staff enabled',
};

const isAction = (action: string): action is AuditAction => action in actions;

/** What a filter offers: everything that was looked at, and each kind of action by itself. */
export const actionNames: [AuditActionFilter, string][] = [
  ['reads', 'Everything looked at'],
  ...Object.entries(actions).filter((one): one is [AuditAction, string] => isAction(one[0])),
];

/** What staff did, in words. */
export const actionName = (action: string): string =>
  isAction(action) ? actions[action] : `${action.charAt(0).toUpperCase()}${action.slice(1).replaceAll('_', ' ')}`;

const jobs: Record<string, string> = {
  send_otp: 'Send a code by SMS',
  send_support_message: 'Send a message by SMS',
  send_reminder: 'Send a renewal reminder',
  verify_payment: 'Ask about a payment',
  refund_payment: 'Refund a payment',
  reverse_payment: 'Give money back',
  check_dispute: 'Check a dispute',
  sweep_payments: 'Find forgotten payments',
  compare_settlements: 'Compare settlements',
  render_invoice: 'Make a document’s PDF',
  verify_domain: 'Check a domain',
  sweep_domains: 'Find domains to check',
  expire_subscriptions: 'End plans that are due',
  apply_add_on_changes: 'End add-ons that are due',
  remind_renewals: 'Find renewals to remind of',
  erase_accounts: 'Erase accounts that are due',
  purge_account_leftovers: 'Delete old codes and sessions',
  change_jobs: 'Change many jobs',
  prune_outcomes: 'Delete old outcomes of jobs',
  verify_audit: 'Check the audit trail',
  verify_books: 'Check the books',
  dev_clock_tick: 'Follow the moved clock',
};

/** What a kind of job does, in words; its own name where nobody has found any. */
export const jobName = (kind: string): string => jobs[kind] ?? kind.replaceAll('_', ' ');

/** An error without the code before its sentence, which only programs need: "unavailable: Try again.: status 503" is "Try again. status 503". */
export const errorWords = (error: string): string =>
  error.replace(/^[a-z]+(?:_[a-z]+)*: (?=[A-Z])/, '').replaceAll(/([.!?]): /g, '$1 ');

const statuses: Record<string, string> = {
  discarded: 'given up',
  retryable: 'will try again',
  available: 'waiting',
  scheduled: 'planned',
  completed: 'done',
  no_plan: 'no plan',
  trialing: 'on trial',
  grace: 'days of grace',
  not_sent: 'not sent',
};

/** A status as people say it. */
export const statusName = (status: string): string => statuses[status] ?? status.replaceAll('_', ' ');

const good = new Set([
  'done',
  'used',
  'sent',
  'delivered',
  'paid',
  'success',
  'completed',
  'active',
  'ready',
  'trialing',
  'captured',
]);
const bad = new Set([
  'failed',
  'discarded',
  'broken',
  'expired',
  'lapsed',
  'held',
  'failure',
  'cancelled',
  'not sent',
  'not delivered',
  'no PDF yet',
]);
const waiting = new Set([
  'waiting',
  'pending',
  'created',
  'requested',
  'retryable',
  'running',
  'available',
  'scheduled',
  'open',
  'grace',
]);

/** How a status is meant: as it should be, wrong, on its way, or neither. */
export function toneOf(status: string): BadgeTone | undefined {
  if (good.has(status)) return 'success';
  if (bad.has(status)) return 'danger';
  return waiting.has(status) ? 'warning' : undefined;
}

const steps: [seconds: number, unit: Intl.RelativeTimeFormatUnit][] = [
  [60, 'second'],
  [3600, 'minute'],
  [86_400, 'hour'],
  [2_592_000, 'day'],
  [31_536_000, 'month'],
  [Infinity, 'year'],
];
const sizes: Record<string, number> = {
  second: 1,
  minute: 60,
  hour: 3600,
  day: 86_400,
  month: 2_592_000,
  year: 31_536_000,
};

/** How long ago an instant of the API is: "5 min. ago". `now` is in milliseconds. */
export function ago(instant: string, now: number): string {
  const seconds = (Date.parse(instant) - now) / 1000;
  const [, unit] = steps.find(([limit]) => Math.abs(seconds) < limit) ?? [0, 'year' as const];
  return new Intl.RelativeTimeFormat('en-IN', { numeric: 'auto', style: 'short' }).format(
    Math.round(seconds / (sizes[unit] ?? 1)),
    unit,
  );
}

const gateways: Record<string, string> = { payu: 'PayU', razorpay: 'Razorpay' };

/** A gateway as people call it. */
export const gatewayName = (gateway: string): string => gateways[gateway] ?? gateway;

/** A customer as people call it: by its own name, its firm's, or its number; one that was erased has none of them. */
export const customerName = ({
  erased,
  name,
  legal_name: legal,
  store_name: store,
  mobile,
}: {
  erased: boolean;
  name: string;
  legal_name: string;
  store_name: string;
  mobile: string;
}): string => (erased ? 'Erased account' : legal || name || store || formatMobile(mobile));

/** An amount in paise as people read it: "₹1,59,300", and "-₹15,000" where it is below nothing. */
export function rupees(paise: number): string {
  const fraction = paise % 100 === 0 ? 0 : 2;
  return `${paise < 0 ? '-' : ''}₹${(Math.abs(paise) / 100).toLocaleString('en-IN', { minimumFractionDigits: fraction, maximumFractionDigits: fraction })}`;
}
