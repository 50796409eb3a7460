import { t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import type { components } from '@/lib/api/schema.gen';
import { formatDate } from '@/lib/format';
import { Notice } from '@/ui/notice';
import { nextBillQuery } from './api/next-bill';
import type { Payment } from './use-payment';

type BillDebit = NonNullable<components['schemas']['NextBill']['debit']>;
type UndecidedDebit = components['schemas']['UndecidedDebit'];

/** Removes the payment's `debit_undecided` error when the notice of the undecided debit already explains it. */
export function warnedOf<P extends Pick<Payment, 'problem'>>(debit: UndecidedDebit | null, payment: P): P {
  return debit && payment.problem?.code === 'debit_undecided' ? { ...payment, problem: null } : payment;
}

/** Warns, before the customer pays manually, of a debit that the bank may still make. */
export function UndecidedDebitNotice({ debit }: { debit: UndecidedDebit }) {
  const { amount, asked_on: asked, decided_by: by } = debit;
  return (
    <Notice
      tone="warning"
      live
    >{t`Your bank was asked for ${amount} on ${formatDate(asked)} and has not answered. If you pay now and it is debited too, we refund the second payment, usually within 5 to 7 working days. If your bank has not answered by ${formatDate(by)}, the debit counts as failed and you can pay without this risk.`}</Notice>
  );
}

/** What automatic renewal does about the next bill, in a sentence. */
export function debitSentence({ amount, on, in_progress: inProgress, due }: BillDebit): string {
  if (inProgress)
    return t`Your bank is working on the automatic renewal for ${amount}. You do not need to do anything until it has answered.`;
  return due
    ? t`We are asking your bank for ${amount}.`
    : t`${amount} is debited for your renewal on ${formatDate(on)}.`;
}

/** Warns before a change of the plan that a debit is announced, which the change calls off. */
export function DebitCalledOffNotice() {
  const { data: bill } = useQuery(nextBillQuery);
  if (!bill?.debit) return null;
  const { amount, on, in_progress: inProgress } = bill.debit;
  return (
    <Notice tone="warning">
      {inProgress
        ? debitSentence(bill.debit)
        : t`A debit of ${amount} is announced for ${formatDate(on)}. This change cancels it, and we announce the new amount to you. Less than two days before it, your bank may still debit the announced amount.`}
    </Notice>
  );
}
