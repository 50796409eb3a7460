import { useState, type FormEvent } from 'react';
import { Button } from '@/components/button';
import type { Customer } from '../api/customers';
import type { Trail } from '../api/help';
import { gatewayName, rupees } from './customer-words';
import { reasonProblem, utrProblem } from './money-form';
import { Text } from './money-text';
import { ReasonField } from './reason-field';
import { useReversalRequest } from './use-reversal-request';

interface OwedFormProps {
  customer: Customer;
  payment: string;
  trail: Trail;
  onDone: (done: { message: string }) => void;
}

/**
 * Books the bank transfer that repaid a failed refund's debt to the customer. That money was never invoiced, so the refund has no credit
 * note.
 */
export function OwedForm({ customer, payment, trail, onDone }: OwedFormProps) {
  const {
    owed_paise: owed,
    approval_above_paise: limit,
    payment: { transaction_id: transaction, gateway },
  } = trail;
  const [form, setForm] = useState({ utr: '', reason: '' });
  const { problems, setProblems, failure, pending, send } = useReversalRequest(onDone);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const utr = utrProblem(form.utr);
    const reason = reasonProblem(form.reason);
    const body = {
      customer_id: customer.id,
      payment_id: payment,
      kind: 'bank_transfer' as const,
      bank_reference: form.utr.trim(),
      reason: form.reason.trim(),
    };
    send(body, 'bank_transfer', { ...(utr && { utr }), ...(reason && { reason }) });
  };
  const handleChange = (part: Partial<typeof form>) => {
    setForm((before) => ({ ...before, ...part }));
    setProblems({});
  };
  return (
    <form className="reason-form money-form" onSubmit={submit} noValidate>
      <p>
        {gatewayName(gateway)} could not give {rupees(owed)} of {transaction} back. Pay it to the customer’s bank
        account first, then book the transfer here.
      </p>
      <p>
        Above {rupees(limit)} of one payment, or of what you give back alone in a day, a second admin has to approve it.
        It is booked once, however often this is sent.
      </p>
      {failure && (
        <p role="alert" className="console-error">
          {failure}
        </p>
      )}
      <Text
        id="money-utr"
        label="UTR of the transfer"
        problem={problems.utr}
        value={form.utr}
        maxLength={35}
        onChange={(utr) => handleChange({ utr })}
      />
      <ReasonField
        value={form.reason}
        onChange={(reason) => handleChange({ reason })}
        problem={problems.reason}
        suggestions={['The customer’s account was closed', 'The gateway refused the refund']}
      />
      <p className="console-hint">The customer does not see the reason.</p>
      <Button type="submit" pending={pending}>
        Book {rupees(owed)} as paid by bank
      </Button>
    </form>
  );
}
