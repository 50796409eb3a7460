import { useState } from 'react';
import { newIdempotencyKey } from '@/lib/idempotency-key';
import { requestReversal, type Trail } from '../api/help';
import { customerName, gatewayName, rupees } from './customer-words';
import { UtrField } from '../money/money-choices';
import { utrProblem } from '../money/money-form';
import { ReasonDialog } from '../shared/reason-dialog';
import type { MoneyBackProps } from './customer-money';

/**
 * Books the bank transfer that repaid a failed refund's debt to the customer. That money was never invoiced, so the refund has no credit
 * note.
 */
export function OwedDialog({ customer, payment, trail, onClose }: MoneyBackProps & { trail: Trail }) {
  const {
    owed_paise: owed,
    approval_above_paise: limit,
    payment: { transaction_id: transaction, gateway },
  } = trail;
  const [key] = useState(newIdempotencyKey);
  return (
    <ReasonDialog
      title={`Book a bank transfer to ${customerName(customer)}`}
      effect={
        <>
          <p>
            {gatewayName(gateway)} could not give {rupees(owed)} of {transaction} back. Pay it to the customer’s bank
            account first, then book the transfer here.
          </p>
          <p>
            Above {rupees(limit)} of one payment, or of what you give back alone in a day, a second admin has to approve
            it. It is booked once, however often this is sent. The customer does not see the reason.
          </p>
        </>
      }
      label={`Book ${rupees(owed)} as paid by bank`}
      suggestions={['The customer’s account was closed', 'The gateway refused the refund']}
      values={{ bank_reference: '' }}
      problemsOf={({ bank_reference: utr }) => ({ bank_reference: utrProblem(utr) })}
      act={(reason, _, { bank_reference: utr }) =>
        requestReversal(
          {
            customer_id: customer.id,
            payment_id: payment,
            kind: 'bank_transfer',
            bank_reference: utr.trim(),
            reason,
          },
          `${key}-bank_transfer`,
        )
      }
      onClose={onClose}
      reasonLast
    >
      <UtrField />
    </ReasonDialog>
  );
}
