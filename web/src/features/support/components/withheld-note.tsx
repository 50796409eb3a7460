import { rupees } from './customer-words';
import { paiseOf, withheldShare } from './money-form';

export interface WithheldNoteProps {
  /** What goes back, in rupees as typed. */
  amount: string;
  /** What of the payment never came as money, and what is left of it, in paise. */
  withheld: number;
  left: number;
  /** Says it again when the amount changes. */
  live?: boolean;
}

/** How much of a refund goes back as money, of a bill that was paid less deducted tax. */
export function WithheldNote({ amount, withheld, left, live }: WithheldNoteProps) {
  const paise = paiseOf(amount);
  if (!paise || paise > left) return null;
  const share = withheldShare(withheld, paise, left);
  return (
    <p role={live ? 'status' : undefined}>
      Transfer {rupees(paise - share)} back: only that came in. {rupees(share)} of it the customer deducted as tax
      (TDS); so much is taken from the tax that we are to receive. The credit note is of {rupees(paise)}.
    </p>
  );
}
