import { t } from '@lingui/core/macro';
import type { components } from '@/lib/api/schema.gen';
import { formatDate } from '@/lib/format';

type Schemas = components['schemas'];

export type AutomaticRenewal = Schemas['AutomaticRenewal'];
export type Mandate = Schemas['Mandate'];
export type MandateChoice = Schemas['MandateChoice'];
export type MandateDebit = Schemas['MandateDebit'];
export type MandateEvent = Schemas['MandateEvent'];

/** What a method is called. */
export function methodName(method: Schemas['MandateMethod']): string {
  return { upi: t`UPI AutoPay`, card: t`Card`, enach: t`Bank account (eNACH)` }[method];
}

/** What is debited, in words: a card by its last digits. */
export function instrumentOf({ method, masked }: Mandate): string {
  if (method === 'card' && masked && /^\d{4}$/.test(masked)) return t`Card ending in ${masked}`;
  return masked ? `${methodName(method)} ${masked}` : methodName(method);
}

function stateName({ state, authorised, paid }: Mandate): string {
  return {
    requested: authorised || paid ? t`Waiting for your bank` : t`Not finished`,
    active: t`On`,
    paused: t`Paused at your bank`,
    revoked: t`Stopped`,
    expired: t`Ended`,
    failed: t`Not set up`,
  }[state];
}

/** Whether the mandate has not ended. */
export const lives = (mandate: Mandate | null): mandate is Mandate =>
  mandate !== null && ['requested', 'active', 'paused'].includes(mandate.state);

/** The mandate's state, in a few words. */
export function stateOf(mandate: Mandate): string {
  if (mandate.stopping) return t`Stopped; your bank is being told`;
  if (mandate.paused_by_you) return t`Paused by you`;
  return stateName(mandate);
}

/** True while the bank has not confirmed the customer's authorisation or stop. */
export const bankDecides = (mandate: Mandate | null): boolean =>
  mandate !== null && mandate.state === 'requested' && (mandate.authorised || mandate.stopping);

function debitName(state: MandateDebit['state']): string {
  return {
    planned: t`Announced`,
    noticed: t`Announced to your bank`,
    asked: t`In progress`,
    paid: t`Paid`,
    failed: t`Failed`,
    called_off: t`Not debited`,
  }[state];
}

/** The debit that was sent to the bank and is still undecided. */
export const underWay = (debits: readonly MandateDebit[]): MandateDebit | undefined =>
  debits.find(({ state }) => state === 'asked');

/** The debit of the next bill that failed. */
export const failureOf = (debits: readonly MandateDebit[]): MandateDebit | undefined =>
  debits.find(({ state, advice }) => state === 'failed' && advice !== null);

/** The outcome of a debit, with its reason and the next step. */
export function debitOutcome(debit: MandateDebit): string {
  const outcome = debitName(debit.state);
  const why = debit.why?.replace(/[.।]$/, '');
  const parts = [why ? t`${outcome}: ${why}.` : t`${outcome}.`];
  const next = debit.next_try === '-' ? '' : formatDate(debit.next_try);
  if (next) parts.push(t`Next try on ${next}.`);
  if (debit.advice) parts.push(debit.advice);
  return parts.join(' ');
}

/** The customer's own action. */
function ownAct({ kind, method, renew_on: renewOn, amount }: MandateEvent): string {
  switch (kind) {
    case 'requested':
      return t`You asked for automatic renewal by ${methodName(method)}, at most ${amount ?? ''} per debit.`;
    case 'paused':
      return t`You paused it.`;
    case 'resumed':
      return t`You resumed it.`;
    case 'skipped':
      return t`You skipped the debit for the renewal on ${formatDate(renewOn)}.`;
    case 'unskipped':
      return t`You undid the skip for the renewal on ${formatDate(renewOn)}.`;
    case 'stopped':
      return t`You stopped it.`;
    default:
      return t`It was replaced by another one.`;
  }
}

/** What the bank did, or the customer in its app. */
function bankAct({ kind, amount }: MandateEvent): string {
  switch (kind) {
    case 'confirmed':
      return t`Your bank approved automatic renewal.`;
    case 'limited':
      return t`Your bank allows at most ${amount ?? ''} per debit.`;
    case 'paused':
      return t`It was paused at your bank.`;
    case 'resumed':
      return t`It was resumed at your bank.`;
    case 'not_set_up':
      return t`It was not set up.`;
    default:
      return t`Your bank ended it.`;
  }
}

/** What happened to a mandate and who did it, in a sentence. */
export function eventText(event: MandateEvent): string {
  if (event.by === 'customer') return ownAct(event);
  if (event.by === 'bank') return bankAct(event);
  if (event.kind === 'refused')
    return t`It does not allow the bill of ${event.amount ?? ''} for the renewal on ${formatDate(event.renew_on)}.`;
  return event.kind === 'stopped'
    ? t`It was stopped because the account was deleted.`
    : t`It was replaced by another one.`;
}
