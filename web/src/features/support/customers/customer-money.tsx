import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Modal } from '@/ui/modal';
import { Async } from '@/ui/states';
import { newIdempotencyKey } from '@/lib/idempotency-key';
import type { Customer } from '../api/customers';
import { requestReversal, trailQuery, type Trail } from '../api/help';
import { OwedDialog } from './customer-owed';
import { customerName, gatewayName, rupees } from './customer-words';
import { Choices } from '../money/money-choices';
import { actName, paiseOf, problemsOf, requestOf, type MoneyForm } from '../money/money-form';
import { ReasonDialog } from '../shared/reason-dialog';
import { WithheldNote } from '../books/withheld-note';

const usual = ['Bought by mistake', 'Charged twice', 'Agreed with the customer'];

export interface MoneyBackProps {
  customer: Customer;
  payment: string;
  /** A held payment can only be refunded in full. */
  held: boolean;
  onClose: () => void;
}

function MoneyBackDialog({ customer, payment, held: isHeld, trail, onClose }: MoneyBackProps & { trail: Trail }) {
  const {
    left_paise: left,
    withheld_paise: withheld,
    holding,
    approval_above_paise: limit,
    payment: { transaction_id: transaction, captured_paise: captured, gateway, state },
    order: { plan },
  } = trail;
  const byBank = gateway === 'bank' || state === 'refunded';
  const values: MoneyForm = {
    kind: byBank ? 'credit_note' : 'refund',
    amount: rupees(left).slice(1),
    confirmed: false,
    keep: 'no',
    bank_reference: '',
    printed_reason: '',
  };
  const [key] = useState(newIdempotencyKey);
  const act = (reason: string, _: unknown, form: MoneyForm) => {
    const keeps = Boolean(holding) && form.keep === 'yes' && paiseOf(form.amount) === left;
    const body = isHeld ? { kind: 'release' as const } : requestOf(form, keeps);
    return requestReversal(
      { customer_id: customer.id, payment_id: payment, ...body, reason },
      `${key}-${body.kind}-${isHeld ? 'all' : paiseOf(form.amount)}-${keeps}`,
    );
  };
  return (
    <ReasonDialog
      title={`Give ${isHeld ? rupees(left) : 'money'} back to ${customerName(customer)}`}
      effect={
        <>
          <p>
            {transaction}: {rupees(captured)} at {gatewayName(gateway)}, {plan}.
          </p>
          <p>
            {isHeld && `All of the held payment goes back: ${rupees(left)}. `}Above {rupees(limit)} of one payment, or
            of what you give back alone in a day, all that goes back counted, a second admin has to approve it. It
            happens once, however often this is sent. The customer does not see the reason.
          </p>
        </>
      }
      label={(form) => (isHeld ? `Give ${rupees(left)} back` : actName(form, left, holding))}
      suggestions={usual}
      values={values}
      problemsOf={(form) => (isHeld ? {} : problemsOf(form, left))}
      act={act}
      onClose={onClose}
    >
      {(form) =>
        !isHeld && (
          <>
            <Choices form={form} left={left} holding={holding} byBank={byBank} />
            {withheld > 0 && <WithheldNote amount={form.amount} withheld={withheld} left={left} live />}
          </>
        )
      }
    </ReasonDialog>
  );
}

/**
 * Requests a refund through the gateway, or a credit note for money the bank has already returned. The focus starts on the reason, without
 * which nothing happens.
 */
export function MoneyBack(props: MoneyBackProps) {
  const trail = useQuery(trailQuery(props.payment));
  if (trail.data && trail.data.owed_paise > 0) return <OwedDialog {...props} trail={trail.data} />;
  if (trail.data) return <MoneyBackDialog {...props} trail={trail.data} />;
  return (
    <Modal
      open
      title={`Give money back to ${customerName(props.customer)}`}
      onClose={props.onClose}
      closeOnBackdrop={false}
    >
      <Async query={trail} what="the payment" lines={6} />
    </Modal>
  );
}
