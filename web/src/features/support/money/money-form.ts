import { asciiDigits } from '@/lib/typed';
import type { Holding } from '../api/help';
import { rupees } from '../customers/customer-words';

type MoneyKind = 'refund' | 'credit_note';

/** What staff have entered; the amount as typed, in rupees. */
export interface MoneyForm {
  kind: MoneyKind;
  amount: string;
  /** The full amount has been confirmed. */
  confirmed: boolean;
  /** Whether what was bought goes on after a full refund. */
  keep: 'yes' | 'no';
  bank_reference: string;
  printed_reason: string;
}

/** Parses whole rupees or rupees with two digits of paise, commas allowed. Returns paise, or undefined for anything else. */
export function paiseOf(typed: string): number | undefined {
  const parts = /^(\d{1,9})(?:\.(\d{1,2}))?$/.exec(asciiDigits(typed).replaceAll(/[₹,\s]/g, ''));
  return parts ? Number(parts[1]) * 100 + Number((parts[2] ?? '').padEnd(2, '0')) : undefined;
}

function amountProblem(typed: string, left: number): string | undefined {
  const paise = paiseOf(typed);
  if (typed.trim() === '') return 'Write how much goes back.';
  if (paise === undefined) return 'Write the amount in rupees, such as 1,500 or 1500.50.';
  if (paise === 0) return 'The amount is above zero.';
  return paise > left ? `At most ${rupees(left)} is left of this payment.` : undefined;
}

export const reasonProblem = (reason: string): string | undefined =>
  reason.trim().length < 3 ? 'Please say why, in 3 characters or more.' : undefined;

export const utrProblem = (utr: string): string | undefined =>
  /^(?=(?:[/-]*[a-z\d]){6})[a-z\d/-]{6,35}$/i.test(utr.trim())
    ? undefined
    : 'A UTR has 16 characters for NEFT, 22 for RTGS, and 12 digits for IMPS and UPI. A transfer within one bank has a number of 6 to 35 letters and digits.';

/** The share of deducted tax in a partial refund, in paise. Rounds half up, like the server. */
export function withheldShare(withheld: number, refund: number, left: number): number {
  if (left < 1) return 0;
  const share = (2n * BigInt(withheld) * BigInt(refund) + BigInt(left)) / (2n * BigInt(left));
  return Math.min(Number(share), withheld, refund);
}

/** The form's problems, for a payment with `left` paise left to refund. */
export const problemsOf = (form: MoneyForm, left: number) => ({
  amount: amountProblem(form.amount, left),
  confirmed:
    paiseOf(form.amount) === left && !form.confirmed
      ? 'Tick this if all of it goes back; otherwise change the amount.'
      : undefined,
  bank_reference: form.kind === 'credit_note' ? utrProblem(form.bank_reference) : undefined,
  printed_reason:
    form.printed_reason.trim() !== '' && form.printed_reason.trim().length < 3
      ? 'Write 3 characters or more, or leave it empty.'
      : undefined,
});

const ending = { plan: 'end the plan', next_term: 'cancel the next term', add_ons: 'end the add-ons' } as const;
const staying = { plan: 'keep the plan', next_term: 'keep the next term', add_ons: 'keep the add-ons' } as const;

/** The button's label, with amount and consequence: "Give ₹1,59,300 back and end the plan". */
export function actName({ kind, amount, keep }: MoneyForm, left: number, holding: Holding | null | undefined): string {
  const paise = paiseOf(amount);
  if (!paise) return kind === 'refund' ? 'Give money back' : 'Book money that is back';
  const what = kind === 'refund' ? `Give ${rupees(paise)} back` : `Book ${rupees(paise)} as paid back`;
  if (paise !== left || !holding) return what;
  return `${what} and ${(keep === 'yes' ? staying : ending)[holding.what]}`;
}

/** The request body. */
export function requestOf(form: MoneyForm, keeps: boolean) {
  return {
    kind: form.kind,
    amount: paiseOf(form.amount) ?? 0,
    keep_plan: keeps,
    ...(form.printed_reason.trim() && { printed_reason: form.printed_reason.trim() }),
    ...(form.kind === 'credit_note' && { bank_reference: form.bank_reference.trim() }),
  };
}
