import { useRef } from 'react';
import { TextField } from '@/ui/form/text-field';
import { newIdempotencyKey } from '@/lib/idempotency-key';
import { applyCredit, type BankCredit } from '../api/transfers';
import { rupees } from '../customers/customer-words';
import { utrProblem } from '../money/money-form';
import { ReasonDialog } from '../shared/reason-dialog';

export interface TransferOutProps {
  credit: BankCredit;
  kind: 'return' | 'dismissal' | 'release';
  onClose: () => void;
}

function wordsOf(kind: TransferOutProps['kind'], credit: BankCredit) {
  switch (kind) {
    case 'return':
      return {
        title: `Book the return of ${rupees(credit.returnable_paise)}?`,
        effect:
          'Transfer the money back at the bank first, to the account that it came from. An admin other than you approves before it is booked. Any part that went to a bill not yet paid in full is taken from it.',
        suggestions: ['Paid too much', 'Paid twice', 'Nothing was ordered'],
      };
    case 'release':
      return {
        title: `Take ${rupees(credit.held_paise)} from unpaid bills?`,
        effect:
          'It stays the customer’s: it can pay another of their bills or be returned. A colleague approves first.',
        suggestions: ['It is for another bill', 'The customer no longer wants the bill'],
      };
    default:
      return {
        title: `Dismiss ${credit.utr}?`,
        effect:
          'It was entered by mistake, or is no customer’s payment: its entry in the books is reversed once a colleague approves.',
        suggestions: ['Entered by mistake', 'No customer’s payment'],
      };
  }
}

/** Requests approval to book a transfer's remainder as returned, to dismiss a credit, or to remove it from unpaid bills. */
export function TransferOut({ credit, kind, onClose }: TransferOutProps) {
  const key = useRef(newIdempotencyKey());
  const returns = kind === 'return';
  const words = wordsOf(kind, credit);
  return (
    <ReasonDialog
      title={words.title}
      effect={<p>{words.effect}</p>}
      label="Ask for approval"
      suggestions={words.suggestions}
      reasonLast={returns}
      values={{ utr: '' }}
      problemsOf={({ utr }) => ({ utr: returns ? utrProblem(utr) : undefined })}
      act={(reason, _, { utr }) => applyCredit(credit.id, { kind, reason, ...(returns && { utr }) }, key.current)}
      onClose={onClose}
    >
      {returns && <TextField name="utr" label="UTR of the transfer back" autoComplete="off" maxLength={60} />}
    </ReasonDialog>
  );
}
