import { useRef, useState } from 'react';
import { newIdempotencyKey } from '@/lib/idempotency-key';
import { applyCredit, type BankCredit } from '../api/transfers';
import { rupees } from './customer-words';
import { utrProblem } from './money-form';
import { ReasonDialog } from './reason-dialog';

export interface TransferOutProps {
  credit: BankCredit;
  kind: 'return' | 'dismissal';
  onDone: (done: { message: string }) => void;
  onClose: () => void;
}

/** Books that what is left of a transfer went back, or dismisses one that is no customer's payment. */
export function TransferOut({ credit, kind, onDone, onClose }: TransferOutProps) {
  const [utr, setUtr] = useState('');
  const key = useRef(newIdempotencyKey());
  const returns = kind === 'return';
  return (
    <ReasonDialog
      title={returns ? `Book the return of ${rupees(credit.returnable_paise)}?` : `Dismiss ${credit.utr}?`}
      effect={
        <p>
          {returns
            ? 'Transfer the money back at the bank first, to the account that it came from. An admin other than you approves before it is booked. What paid part of a bill that is not paid yet is taken from it.'
            : 'It was entered by mistake, or is no customer’s payment: its entry in the books is reversed.'}
        </p>
      }
      label={returns ? 'Ask for approval' : 'Dismiss'}
      suggestions={
        returns
          ? ['Paid too much', 'Paid twice', 'Nothing was ordered']
          : ['Entered by mistake', 'No customer’s payment']
      }
      reasonLast={returns}
      act={async (reason) => {
        const problem = returns ? utrProblem(utr) : undefined;
        if (problem) throw new Error(problem);
        return applyCredit(credit.id, { kind, reason, ...(returns && { utr }) }, key.current);
      }}
      onDone={onDone}
      onClose={onClose}
    >
      {returns && (
        <>
          <label htmlFor="return-utr">UTR of the transfer back</label>
          <input
            id="return-utr"
            className="input"
            autoComplete="off"
            maxLength={60}
            value={utr}
            onChange={(event) => setUtr(event.target.value)}
          />
        </>
      )}
    </ReasonDialog>
  );
}
