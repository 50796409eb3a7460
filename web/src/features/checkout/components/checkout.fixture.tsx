import { getDefaultStore } from 'jotai';
import { afterEach, beforeEach, vi } from 'vitest';
import { gatewayDetailsAtom, pendingPaymentAtom, type PendingPayment } from '@/domain/payment/pending-payment';
import { answer } from '@/testing/server';
import { ids, noPlan, transactionId } from '@/testing/subscription-factories';
import { HandOffPage } from './hand-off-page';
import { ResultPage } from './result-page';

export const routes = [
  { path: 'checkout/pay', element: <HandOffPage /> },
  { path: 'checkout/result/success', element: <ResultPage /> },
  { path: 'checkout/result/failed', element: <ResultPage /> },
];
export const success = `/checkout/result/success?transaction_id=${transactionId}`;
export const failed = `/checkout/result/failed?transaction_id=${transactionId}`;
/** A pending payment of this tab that was handed to the gateway. */
export const pending: PendingPayment = {
  charge: { of: 'plan', selection: { plan_type: 'yearly', plan_services_id: ids.service, add_ons_service_id: [] } },
  extras: { expected_total: 15930000 },
  key: '0123456789abcdef0123456789abcdef',
  amount: '₹1,59,300',
  transactionId,
  back: '/plan/start-up/annual/1?review=1',
};
export const store = getDefaultStore();
/** Replaces the browser’s own form submission. */
export const submit = vi.fn<(this: HTMLFormElement) => void>();

/** Sets up a pending payment before each test; nothing is really submitted. */
export function withPayment(): void {
  beforeEach(() => {
    submit.mockReset();
    answer('get', '/subscription/dashboard', noPlan());
    vi.spyOn(HTMLFormElement.prototype, 'submit').mockImplementation(submit);
    store.set(pendingPaymentAtom, pending);
    store.set(gatewayDetailsAtom, null);
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });
}
