import { formatMobile } from '@/lib/format';
import type { Decision, StaffActKind, StaffActState } from '../api/acts';
import type { Customer } from '../api/customers';
import type { Reversal } from '../api/help';
import { actWords, decisions } from '../staff/act-words';

type Kind = Reversal['kind'];
type State = Reversal['state'];

/** The display names of request kinds. */
export const requestKinds: Record<Kind, string> = {
  refund: 'Refund',
  credit_note: 'Credit note for a bank transfer',
  bank_transfer: 'Bank transfer for a failed refund',
  release: 'Refund of a wrong amount',
  chargeback: 'Lost dispute',
};

/** The display names of request states. */
export const requestStates: Record<State, string> = {
  waiting: 'Waits for a second admin',
  approved: 'Approved, on its way',
  declined: 'Declined',
  withdrawn: 'Withdrawn',
  done: 'Done',
  failed: 'Failed',
};

/** The colours of request states. */
export const requestTones = {
  waiting: 'warning',
  approved: 'warning',
  declined: undefined,
  withdrawn: undefined,
  done: 'success',
  failed: 'danger',
} as const;

/** The display names of the states of acts, which may wait for their time. */
export const actStates: Record<StaffActState, string> = {
  waiting: requestStates.waiting,
  approved: requestStates.approved,
  scheduled: 'Waits for its time',
  declined: requestStates.declined,
  withdrawn: requestStates.withdrawn,
  done: requestStates.done,
  failed: requestStates.failed,
  stopped: 'Stopped',
};

/** The colours of the states of acts. */
export const actTones = { ...requestTones, scheduled: 'warning', stopped: undefined } as const;

/** Kinds that only book money already moved, without calling a gateway. */
const booking = new Set<Kind>(['credit_note', 'bank_transfer', 'chargeback']);

/** The state of a request of this kind, in words. */
export function requestState(kind: Kind, state: State): string {
  if (booking.has(kind) && state === 'approved') return 'Approved, being booked';
  return booking.has(kind) && state === 'done' ? 'Booked' : requestStates[state];
}

/** The request as a phrase that follows "asked for". */
export function askedFor(kind: Kind, amount: string): string {
  if (kind === 'bank_transfer') return `a bank transfer of ${amount} to be booked`;
  if (kind === 'credit_note') return `${amount} to be booked as paid back by bank`;
  return kind === 'chargeback' ? `the loss of ${amount} to be booked` : `${amount} to go back`;
}

/** What a worker does about an approved request. */
export function underWay(kind: Kind, amount: string): string {
  if (kind === 'bank_transfer') return `A bank transfer of ${amount} is being booked.`;
  if (kind === 'credit_note') return `${amount} that a bank transfer paid back is being booked, with its credit note.`;
  return kind === 'chargeback' ? `The loss of ${amount} is being booked.` : `${amount} is on its way back.`;
}

type OpenRequest = Customer['open_requests'][number];

const isReversal = (kind: OpenRequest['kind']): kind is Kind => kind in requestKinds;

/** An open request on a customer's page, and its progress. */
export function openRequestText({ kind, state, amount, requested_by_name: by }: OpenRequest): string {
  if (isReversal(kind))
    return state === 'waiting' ? `${by} asked for ${askedFor(kind, amount)}.` : underWay(kind, amount);
  const title = `“${actWords[kind].title}”`;
  return state === 'waiting' ? `${by} asked for ${title}.` : `${title} is approved and being done.`;
}

/** Groups of acts that exclude each other: a customer can have only one open act of a group. */
const together: StaffActKind[][] = [['cancel_plan', 'switch_plan'], ['reset_authenticator'], ['change_mobile']];

/** True if the customer already has this act, or an act that excludes it, open. */
export function isAskedFor({ open_requests: requests }: Customer, act: StaffActKind): boolean {
  const excluding = together.find((kinds) => kinds.includes(act)) ?? [act];
  return requests.some(({ kind }) => !isReversal(kind) && excluding.includes(kind));
}

export const customerOf = ({ customer_name: name, customer_mobile: mobile }: Reversal): string =>
  name || formatMobile(mobile);

/** The question for the second admin, and the effect of the decision. */
export function question(reversal: Reversal, what: Decision): [title: string, effect: string] {
  const { kind, amount, bank_reference: utr } = reversal;
  const who = customerOf(reversal);
  if (what === 'withdraw')
    return [`Withdraw your request about ${amount} of ${who}?`, 'Nothing is booked or paid back.'];
  const approves = what === 'approve';
  const check = `Check on the bank’s statement that the transfer with UTR ${utr} was paid.`;
  if (kind === 'chargeback')
    return approves
      ? [`Book the loss of ${amount} of ${who}?`, 'The loss is booked at once; it happens once.']
      : [`Book no loss of ${amount} of ${who}?`, 'Nothing is booked.'];
  if (kind === 'bank_transfer')
    return approves
      ? [`Book a bank transfer of ${amount} to ${who}?`, `${check} Booking it pays nothing, and happens once.`]
      : [`Book no bank transfer of ${amount} to ${who}?`, 'Nothing is booked, and the failed refund is still owed.'];
  if (kind === 'credit_note')
    return approves
      ? [
          `Book ${amount} as paid back to ${who}?`,
          `${check} Booking it pays nothing; the credit note is made at once, and once.`,
        ]
      : [`Make no credit note over ${amount} for ${who}?`, 'Nothing is booked.'];
  return approves
    ? [`Give ${amount} back to ${who}?`, 'The money goes back at once; it happens once.']
    : [`Keep ${amount} of ${who}?`, 'Nothing is paid back.'];
}

/** Usual reasons for the answer. */
export function usualReasons({ bank_reference: utr }: Reversal, what: Decision): string[] {
  if (what === 'withdraw') return decisions.withdraw.usual;
  if (utr)
    return what === 'approve' ? ['Seen on the bank’s statement'] : ['Not on the bank’s statement', 'Wrong amount'];
  return what === 'approve'
    ? ['Checked with the customer', 'Checked the payment']
    : ['Not agreed with the customer', 'Wrong amount'];
}
