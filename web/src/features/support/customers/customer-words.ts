import { formatMobile } from '@/lib/format';

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
  note: 'Note',
};

/** The display name of a timeline kind. */
export const kindName = (kind: string): string => kinds[kind] ?? kind;

const actors: Record<string, string> = {
  customer: 'Customer',
  partner: 'Outlet partner',
  visitor: 'Not signed in',
  gateway: 'Gateway',
  system: 'System',
  staff: 'Staff',
};

/** The display name of an actor; for staff, their own name. */
export const actorName = (actor: string): string => actors[actor] ?? actor;

const jobs: Record<string, string> = {
  send_otp: 'Send a code by SMS',
  send_support_message: 'Send a message by SMS',
  send_customer_message: 'Send a receipt or notice',
  send_contact_reply: 'Send a reply to a contact request',
  receive_contact_message: 'Put an arrived message into its contact request',
  send_newsletter_link: 'Send a link about the newsletter by e-mail',
  send_staff_notice: 'Tell a colleague of a change of the account, or of another admin, by e-mail',
  send_staff_invitation: 'Send an invitation to the staff by e-mail',
  send_team_invitation: 'Send an invitation to an account by SMS',
  send_partner_message: 'Send an SMS to a partner',
  verify_payment: 'Ask about a payment',
  refund_payment: 'Refund a payment',
  reverse_payment: 'Give money back',
  check_dispute: 'Check a dispute',
  sweep_payments: 'Find forgotten payments',
  compare_settlements: 'Compare settlements',
  render_invoice: 'Make a document’s PDF',
  register_invoice: 'Register a document at the portal',
  recheck_einvoice: 'Look whether a registration was cancelled',
  mail_documents: 'E-mail recent documents',
  verify_documents: 'Look for lost documents',
  restore_documents: 'Render lost documents again',
  verify_domain: 'Check a domain',
  deliver_webhook: 'Tell a connected system',
  deliver_alert: 'Tell staff of an alert',
  prune_alerts: 'Delete old alerts',
  apply_catalogue: 'Apply an approved catalogue',
  perform_act: 'Do what staff asked for',
  change_mobile: 'Change a lost mobile when it is due',
  renew_by_mandate: 'Announce and debit automatic renewals',
  receive_transfer: 'Match a bank transfer',
  use_transfer: 'Book what a bank transfer pays',
  collect_transfers: 'Ask the collector for bank transfers',
  close_account_number: 'Close the account number of an erased customer',
  sweep_transfers: 'Look after bank transfers and their proformas',
  print_proforma: 'Print a proforma',
  prune_webhooks: 'Delete old events',
  sweep_domains: 'Find domains to check',
  expire_subscriptions: 'End plans that are due',
  apply_add_on_changes: 'End add-ons that are due',
  remind_renewals: 'Find renewals to remind of',
  tell_prices: 'Tell customers of other prices',
  keep_deliveries: 'Look for proof of what was delivered',
  erase_accounts: 'Erase accounts that are due',
  purge_account_leftovers: 'Delete what is no longer kept: codes, sessions, contact requests',
  change_jobs: 'Change many jobs',
  prune_outcomes: 'Delete old outcomes and changes of jobs',
  verify_audit: 'Check the audit trail',
  count_figures: 'Count the figures',
  verify_books: 'Check the books',
  recognise_revenue: 'Book what was earned',
  dev_clock_tick: 'Follow the moved clock',
};

/** The display name of a kind of job; falls back to its own name. */
export const jobName = (kind: string): string => jobs[kind] ?? kind.replaceAll('_', ' ');

/**
 * An error without the machine-readable code before its sentence: "unavailable: Try again.: status 503" becomes "Try again. status 503".
 */
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
  ended_by_refund: 'ended: refunded',
  not_sent: 'not sent',
};

/** The display name of a status. */
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

/** The tone of a status: good, bad, in progress, or neutral. */
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

/** The age of an API instant: "5 min. ago". `now` is in milliseconds. */
export function ago(instant: string, now: number): string {
  const seconds = (Date.parse(instant) - now) / 1000;
  const [, unit] = steps.find(([limit]) => Math.abs(seconds) < limit) ?? [0, 'year' as const];
  return new Intl.RelativeTimeFormat('en-IN', { numeric: 'auto', style: 'short' }).format(
    Math.round(seconds / (sizes[unit] ?? 1)),
    unit,
  );
}

/** The gateways whose display name is not their identifier with a capital. */
const gateways: Record<string, string> = { payu: 'PayU', bank: 'bank' };

/** The display name of a gateway. */
export const gatewayName = (gateway: string): string =>
  gateways[gateway] ?? gateway.charAt(0).toUpperCase() + gateway.slice(1);

/** A customer's display name: personal name, business name, or number; erased customers have no name or number. */
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

/** An amount in paise, formatted as rupees: "₹1,59,300", or "-₹15,000" if negative. */
export function rupees(paise: number): string {
  const fraction = paise % 100 === 0 ? 0 : 2;
  return `${paise < 0 ? '-' : ''}₹${(Math.abs(paise) / 100).toLocaleString('en-IN', { minimumFractionDigits: fraction, maximumFractionDigits: fraction })}`;
}
