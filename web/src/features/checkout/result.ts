import { t } from '@lingui/core/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useSearchParams } from 'react-router';
import { paymentStatusQuery } from '@/domain/payment/api/payment-status';
import { forgetPayment } from '@/domain/payment/pending-payment';
import type { components } from '@/lib/api/schema.gen';
import { forgetPaymentMethod } from '@/lib/payment-method';
import { forgetChoice, planPath } from '@/lib/plan-choice';

type PaymentState = components['schemas']['PaymentState'];

/** The states in which the method brought no money. */
const unsuccessful = new Set<PaymentState['state'] | undefined>(['failed', 'unpaid', 'expired']);

/** The state of the payment in the URL. Once it is paid, all cached data of the account is refetched. */
export function useResult() {
  const [search] = useSearchParams();
  const transactionId = search.get('transaction_id') ?? '';
  const client = useQueryClient();
  const status = useQuery(paymentStatusQuery(transactionId));
  const state = status.data?.state;
  const failed = unsuccessful.has(state) && status.data?.captured === null;

  useEffect(() => {
    if (failed) forgetPaymentMethod();
  }, [failed]);

  useEffect(() => {
    if (!state || state === 'confirming' || state === 'unpaid') return;
    forgetPayment(transactionId);
    if (state !== 'paid') return;
    forgetChoice();
    void client.invalidateQueries({
      predicate: ({ queryKey, meta }) => meta?.public !== true && queryKey[0] !== 'payment-status',
    });
  }, [client, state, transactionId]);

  return { transactionId, status };
}

/** The path for another attempt, with the choice kept: the plan's screen, or the dashboard for add-ons and renewals. */
export function retryPath(result: PaymentState | undefined): string {
  if (!result) return '/pricing';
  if (!result.selection) return '/dashboard';
  const { plan_id, plan_name, plan_type, plan_services_id, add_ons_service_id } = result.selection;
  return planPath({
    planId: plan_id,
    planName: plan_name,
    planType: plan_type,
    serviceId: plan_services_id,
    addOnIds: add_ons_service_id,
  });
}

/** Whether money left the account, in a sentence. */
export const chargedText: Record<PaymentState['charged'], string> = {
  charged: t`Money has left your account. You do not need to pay again: our team will complete the order or return the money.`,
  not_charged: t`The payment provider did not confirm a payment within five days.`,
  unknown: t`We have no confirmation of a payment yet. If money left your account, it either completes this order within 5 days or comes back to you, which can take a bank up to 21 days.`,
};
