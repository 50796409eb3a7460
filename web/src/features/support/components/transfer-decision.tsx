import { decideUse, type BankCredit, type BankCreditUse } from '../api/transfers';
import { rupees } from './customer-words';
import { ReasonDialog } from './reason-dialog';

export interface TransferDecisionProps {
  credit: BankCredit;
  use: BankCreditUse;
  approve: boolean;
  onDone: (done: { message: string }) => void;
  onClose: () => void;
}

/** Approves or declines what a colleague asked for of a transfer. */
export function TransferDecision({ credit, use, approve, onDone, onClose }: TransferDecisionProps) {
  const what = use.kind === 'return' ? `the return of ${rupees(use.amount_paise)}` : `its use for ${use.number}`;
  return (
    <ReasonDialog
      title={`${approve ? 'Approve' : 'Decline'} ${what}?`}
      effect={
        <p>
          {use.requested_by_name} asked: {use.reason}. Compare the transfer {credit.utr} of{' '}
          {rupees(credit.amount_paise)} with the bank’s statement before you approve.
        </p>
      }
      label={approve ? 'Approve' : 'Decline'}
      suggestions={
        approve ? ['Seen in the bank’s statement'] : ['It is not in the bank’s statement', 'It is another customer’s']
      }
      act={(reason) => decideUse(use.id, approve, reason)}
      onDone={onDone}
      onClose={onClose}
    />
  );
}
