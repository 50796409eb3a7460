import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent, type ReactNode } from 'react';
import { Button } from '@/components/button';
import { Modal } from '@/components/modal';
import { ErrorState, Loading, Skeleton } from '@/components/states';
import type { Customer } from '../api/customers';
import { trailQuery, type Trail } from '../api/help';
import { OwedForm } from './customer-owed';
import { customerName, gatewayName, rupees } from './customer-words';
import { Choices } from './money-choices';
import {
  actName,
  paiseOf,
  problemsOf,
  reasonProblem,
  requestOf,
  type MoneyForm,
  type MoneyProblems,
} from './money-form';
import { ReasonField } from './reason-field';
import { useReversalRequest } from './use-reversal-request';
import { WithheldNote } from './withheld-note';

const usual = ['Bought by mistake', 'Charged twice', 'Agreed with the customer'];
/** The fields in display order, for focusing the first invalid one. */
export interface MoneyBackProps {
  customer: Customer;
  payment: string;
  /** A held payment can only be refunded in full. */
  held: boolean;
  onDone: (done: { message: string }) => void;
  onClose: () => void;
}

interface FormProps extends Omit<MoneyBackProps, 'onClose'> {
  trail: Trail;
}

function MoneyBackForm({ customer, payment, held: isHeld, trail, onDone }: FormProps) {
  const {
    left_paise: left,
    withheld_paise: withheld,
    holding,
    approval_above_paise: limit,
    payment: { transaction_id: transaction, captured_paise: captured, gateway, state },
    order: { plan },
  } = trail;
  const byBank = gateway === 'bank' || state === 'refunded';
  const [form, setForm] = useState<MoneyForm>({
    kind: byBank ? 'credit_note' : 'refund',
    amount: rupees(left).slice(1),
    confirmed: false,
    keep: false,
    utr: '',
    printed: '',
    reason: '',
  });
  const { problems, setProblems, failure, pending, send } = useReversalRequest(onDone);
  const keeps = Boolean(holding) && form.keep && paiseOf(form.amount) === left;
  const body = isHeld
    ? { customer_id: customer.id, payment_id: payment, kind: 'release' as const, reason: form.reason.trim() }
    : requestOf(form, customer.id, payment, keeps);
  const handleChange = (part: Partial<MoneyForm>) => {
    setForm((before) => ({ ...before, ...part }));
    setProblems({});
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const reason = reasonProblem(form.reason);
    const wrong: MoneyProblems = isHeld ? { ...(reason && { reason }) } : problemsOf(form, left);
    send(body, `${body.kind}-${isHeld ? 'all' : paiseOf(form.amount)}-${keeps}`, wrong);
  };
  return (
    <form className="reason-form money-form" onSubmit={submit} noValidate>
      <p>
        {transaction}: {rupees(captured)} at {gatewayName(gateway)}, {plan}.
      </p>
      <p>
        {isHeld && `All of the held payment goes back: ${rupees(left)}. `}Above {rupees(limit)} of one payment, or of
        what you give back alone in a day, all that goes back counted, a second admin has to approve it. It happens
        once, however often this is sent.
      </p>
      {failure && (
        <p role="alert" className="console-error">
          {failure}
        </p>
      )}
      {!isHeld && (
        <Choices
          form={form}
          problems={problems}
          left={left}
          holding={holding}
          onChange={handleChange}
          byBank={byBank}
        />
      )}
      {!isHeld && withheld > 0 && <WithheldNote amount={form.amount} withheld={withheld} left={left} live />}
      <ReasonField
        value={form.reason}
        onChange={(reason) => handleChange({ reason })}
        problem={problems.reason}
        suggestions={usual}
      />
      <p className="console-hint">The customer does not see the reason.</p>
      <Button type="submit" pending={pending}>
        {isHeld ? `Give ${rupees(left)} back` : actName(form, left, holding)}
      </Button>
    </form>
  );
}

/**
 * Requests a refund through the gateway, or a credit note for money the bank has already returned. The focus starts on the dialog itself,
 * where no key triggers an action.
 */
export function MoneyBack({ onClose, ...rest }: MoneyBackProps) {
  const trail = useQuery(trailQuery(rest.payment));
  let content: ReactNode = (
    <Loading what="the payment" onRetry={() => void trail.refetch()}>
      <Skeleton lines={6} />
    </Loading>
  );
  if (trail.data && trail.data.owed_paise > 0) content = <OwedForm {...rest} trail={trail.data} />;
  else if (trail.data) content = <MoneyBackForm {...rest} trail={trail.data} />;
  else if (trail.isError)
    content = <ErrorState error={trail.error} onRetry={() => void trail.refetch()} what="the payment" />;
  const who = customerName(rest.customer);
  const title =
    trail.data && trail.data.owed_paise > 0
      ? `Book a bank transfer to ${who}`
      : rest.held && trail.data
        ? `Give ${rupees(trail.data.left_paise)} back to ${who}`
        : `Give money back to ${who}`;
  return (
    <Modal open title={title} onClose={onClose} closeOnBackdrop={false}>
      {content}
    </Modal>
  );
}
