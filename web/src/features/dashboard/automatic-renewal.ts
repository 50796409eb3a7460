import type { components } from '@/lib/api/schema.gen';
import { formatDate } from '@/lib/format';

type Schemas = components['schemas'];

export type AutomaticRenewal = Schemas['AutomaticRenewal'];
export type Mandate = Schemas['Mandate'];
export type MandateChoice = Schemas['MandateChoice'];
export type MandateDebit = Schemas['MandateDebit'];

export const methodWords: Record<Schemas['MandateMethod'], string> = {
  upi: 'UPI AutoPay',
  card: 'Card',
  enach: 'Bank account (eNACH)',
};

const stateWords: Record<Mandate['state'], string> = {
  requested: 'Waiting for your bank',
  active: 'On',
  paused: 'Paused at your bank',
  revoked: 'Stopped',
  expired: 'Ended',
  failed: 'Not set up',
};

/** Whether the mandate has not ended. */
export const lives = (mandate: Mandate | null): mandate is Mandate =>
  mandate !== null && ['requested', 'active', 'paused'].includes(mandate.state);

/** How the mandate stands, in a few words. */
export function stateOf(mandate: Mandate): string {
  if (mandate.stopping) return 'Stopped; your bank is being told';
  if (mandate.paused_by_you) return 'Paused by you';
  return stateWords[mandate.state];
}

const debitWords: Record<MandateDebit['state'], string> = {
  planned: 'Announced',
  noticed: 'Announced to your bank',
  asked: 'In progress',
  paid: 'Paid',
  failed: 'Failed',
  called_off: 'Not debited',
};

/** What became of a debit, with its reason and what comes next. */
export function debitOutcome(debit: MandateDebit): string {
  const why = debit.why ? `: ${debit.why.replace(/\.$/, '')}` : '';
  const next = debit.next_try === '-' ? '' : ` Next try on ${formatDate(debit.next_try)}.`;
  return `${debitWords[debit.state]}${why}.${next}${debit.advice ? ` ${debit.advice}` : ''}`;
}
