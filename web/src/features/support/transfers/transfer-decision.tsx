import { decideUse, type BankCredit, type BankCreditUse } from '../api/transfers';
import { rupees } from '../customers/customer-words';
import { ReasonDialog } from '../shared/reason-dialog';
import { questionOfUse } from './transfer-words';

export interface TransferDecisionProps {
  credit: BankCredit;
  use: BankCreditUse;
  approve: boolean;
  onClose: () => void;
}

/** Approves or declines a colleague's request about a transfer. */
export function TransferDecision({ credit, use, approve, onClose }: TransferDecisionProps) {
  const tax = use.tds_paise + use.gst_tds_paise;
  return (
    <ReasonDialog
      title={`${approve ? 'Approve' : 'Decline'} ${questionOfUse(use)}?`}
      effect={
        <p>
          {use.requested_by_name} asked: {use.reason}. Compare the transfer {credit.utr} of{' '}
          {rupees(credit.amount_paise)} with the bank’s statement before you approve.
          {tax > 0 && ` ${rupees(tax)} of deducted tax is accepted with it.`}
        </p>
      }
      label={approve ? 'Approve' : 'Decline'}
      suggestions={
        approve ? ['Seen in the bank’s statement'] : ['It is not in the bank’s statement', 'It is another customer’s']
      }
      act={(reason) => decideUse(use.id, approve, reason)}
      onClose={onClose}
    />
  );
}
