import { t } from '@lingui/core/macro';
import type { components } from '@/lib/api/schema.gen';
import { formatDate } from '@/lib/format';
import { language } from '@/lib/language';
import { debitText } from './debit-words';

type Schemas = components['schemas'];

export type AutomaticRenewal = Schemas['AutomaticRenewal'];
export type Mandate = Schemas['Mandate'];
export type MandateChoice = Schemas['MandateChoice'];
export type MandateDebit = Schemas['MandateDebit'];

/** What a method is called. */
export function methodName(method: Schemas['MandateMethod']): string {
  return { upi: t`UPI AutoPay`, card: t`Card`, enach: t`Bank account (eNACH)` }[method];
}

/** What is debited, in words: a card by its last digits. */
export function instrumentOf({ method, masked }: Mandate): string {
  if (method === 'card' && masked && /^\d{4}$/.test(masked)) return t`Card ending in ${masked}`;
  return masked ? `${methodName(method)} ${masked}` : methodName(method);
}

function stateName({ state, method, authorised }: Mandate): string {
  return {
    requested: method === 'enach' && !authorised ? t`Not finished` : t`Waiting for your bank`,
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

/** How the mandate stands, in a few words. */
export function stateOf(mandate: Mandate): string {
  if (mandate.stopping) return t`Stopped; your bank is being told`;
  if (mandate.paused_by_you) return t`Paused by you`;
  return stateName(mandate);
}

/** Whether the bank has yet to confirm what the customer has authorised. */
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

/** What became of a debit, with its reason and what comes next. */
export function debitOutcome(debit: MandateDebit): string {
  const stop = language === 'hi' ? '।' : '.';
  const parts = [debitName(debit.state) + (debit.why ? `: ${debitText(debit.why).replace(/[.।]$/, '')}` : '') + stop];
  const next = debit.next_try === '-' ? '' : formatDate(debit.next_try);
  if (next) parts.push(t`Next try on ${next}.`);
  if (debit.advice) parts.push(debitText(debit.advice));
  return parts.join(' ');
}
