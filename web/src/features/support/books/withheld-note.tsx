import { rupees } from '../customers/customer-words';
import { paiseOf, withheldShare } from '../money/money-form';

export interface WithheldNoteProps {
  /** The refund amount, in rupees as typed. */
  amount: string;
  /** The deducted tax of the payment, and the amount left to refund, in paise. */
  withheld: number;
  left: number;
  /** Says it again when the amount changes. */
  live?: boolean;
}

/** How much of a refund is transferred as money if the customer deducted TDS from the bill. */
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
