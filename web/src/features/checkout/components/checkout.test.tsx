import { act, screen, waitFor, within } from '@testing-library/react';
import { getDefaultStore } from 'jotai';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { gatewayDetailsAtom, pendingPaymentAtom, type PendingPayment } from '@/components/payment/pending-payment';
import { OrderNotice } from '@/components/payment/order-notice';
import { gatewayDetails, paymentSession, paymentState } from '@/testing/payment-factories';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { answer, refuse } from '@/testing/server';
import { ids, transactionId } from '@/testing/subscription-factories';
import { CONTINUE_MS } from '../hand-off';
import { HandOffPage } from './hand-off-page';
import { ResultPage } from './result-page';

const routes = [
  { path: 'checkout/pay', element: <HandOffPage /> },
  { path: 'checkout/result/success', element: <ResultPage /> },
  { path: 'checkout/result/failed', element: <ResultPage /> },
];
const success = `/checkout/result/success?transaction_id=${transactionId}`;
const failed = `/checkout/result/failed?transaction_id=${transactionId}`;
const pending: PendingPayment = {
  charge: { of: 'plan', selection: { plan_type: 'yearly', plan_services_id: ids.service, add_ons_service_id: [] } },
  extras: { expected_total: 15930000 },
  key: '0123456789abcdef0123456789abcdef',
  amount: '₹1,59,300',
  transactionId,
  back: '/plan/start-up/annual/1?review=1',
};
const store = getDefaultStore();
const submit = vi.fn<(this: HTMLFormElement) => void>();

beforeEach(() => {
  submit.mockReset();
  vi.spyOn(HTMLFormElement.prototype, 'submit').mockImplementation(submit);
  store.set(pendingPaymentAtom, pending);
  store.set(gatewayDetailsAtom, null);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('the hand-off shows amount and order, and posts every field to the gateway at once', () => {
  store.set(gatewayDetailsAtom, gatewayDetails);
  renderRoutes(routes);
  expect(screen.getByRole('heading', { level: 1, name: 'Taking you to the secure payment page…' })).toBeVisible();
  expect(screen.getByText('₹1,59,300')).toBeVisible();
  expect(screen.getByText(transactionId)).toBeVisible();
  expect(submit).toHaveBeenCalledOnce();
  const form = submit.mock.contexts[0] as HTMLFormElement;
  expect(form.action).toBe(gatewayDetails.payment_url);
  expect(form.method).toBe('post');
  const fields = Object.entries(gatewayDetails).filter(([name]) => name !== 'payment_url');
  expect([...new FormData(form)]).toEqual(fields);
});

test('a button to continue by hand appears after three seconds', () => {
  vi.useFakeTimers();
  store.set(gatewayDetailsAtom, gatewayDetails);
  renderRoutes(routes);
  act(() => void vi.advanceTimersByTime(CONTINUE_MS - 1));
  expect(screen.queryByRole('button', { name: 'Continue' })).not.toBeInTheDocument();
  act(() => void vi.advanceTimersByTime(1));
  expect(screen.getByRole('button', { name: 'Continue' })).toBeVisible();
});

test('Back from the gateway offers to resume the same payment under the same key', async () => {
  answer(
    'get',
    '/subscription/payments/status/{transaction_id}',
    paymentState({ state: 'confirming', poll_after: 60 }),
  );
  const request = answer('post', '/subscription/payments/request', paymentSession());
  store.set(gatewayDetailsAtom, gatewayDetails);
  const { user } = renderRoutes(routes);
  act(() => {
    const shown = new Event('pageshow');
    Object.defineProperty(shown, 'persisted', { value: true });
    window.dispatchEvent(shown);
  });
  expect(await screen.findByRole('heading', { name: 'Your payment is not finished' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Change the order' })).toHaveAttribute('href', pending.back);

  await user.click(screen.getByRole('button', { name: 'Resume payment' }));
  await waitFor(() => expect(submit).toHaveBeenCalledTimes(2));
  expect(request.bodies).toEqual([{ ...pending.charge.selection, expected_total: 15930000 }]);
  expect(request.requests[0]?.headers.get('Idempotency-Key')).toBe(pending.key);
});

test('coming back to a payment that is through leads to its result', async () => {
  answer('get', '/subscription/payments/status/{transaction_id}', paymentState());
  const { router } = renderRoutes(routes);
  await waitFor(() => expect(router.state.location.pathname + router.state.location.search).toBe(success));
});

test('a payment that cannot be resumed says why', async () => {
  answer(
    'get',
    '/subscription/payments/status/{transaction_id}',
    paymentState({ state: 'confirming', poll_after: 60 }),
  );
  refuse('post', '/subscription/payments/request', 409, { message: 'This payment has expired.' });
  const { user } = renderRoutes(routes);
  await user.click(await screen.findByRole('button', { name: 'Resume payment' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('This payment has expired.');
});

test('without a payment under way the hand-off says so', () => {
  store.set(pendingPaymentAtom, null);
  renderRoutes(routes);
  expect(screen.getByRole('heading', { name: 'No payment is waiting' })).toBeVisible();
  expect(submit).not.toHaveBeenCalled();
});

test('a paid order is congratulated, its id can be copied, and View Order leads to the store details', async () => {
  answer('get', '/subscription/payments/status/{transaction_id}', paymentState());
  const { user } = renderRoutes(routes, { at: success });
  expect(await screen.findByRole('heading', { level: 1, name: 'Congratulations..' })).toBeVisible();
  expect(screen.getByText('Your Order has been successfully placed')).toBeVisible();
  expect(screen.getByRole('link', { name: 'View Order' })).toHaveAttribute('href', '/store-details');
  expect(screen.getByRole('button', { name: 'Download invoice FP/26-27/000001, PDF' })).toBeVisible();

  await user.click(screen.getByRole('button', { name: 'Copy order id' }));
  expect(await navigator.clipboard.readText()).toBe(transactionId);
  expect(screen.getByText('Id copied')).toBeVisible();
  expect(store.get(pendingPaymentAtom)).toBeNull();
});

test('with a store View Order leads to the dashboard', async () => {
  answer('get', '/subscription/payments/status/{transaction_id}', paymentState({ has_store_details: true }));
  renderRoutes(routes, { at: success });
  expect(await screen.findByRole('link', { name: 'View Order' })).toHaveAttribute('href', '/dashboard');
});

test('View Order shows the order where it leads', async () => {
  answer('get', '/subscription/payments/status/{transaction_id}', paymentState());
  const { user } = renderRoutes([...routes, { path: 'store-details', element: <OrderNotice /> }], { at: success });
  await user.click(await screen.findByRole('link', { name: 'View Order' }));
  const order = await screen.findByRole('region', { name: 'Your order' });
  expect(order).toHaveTextContent(transactionId);
  expect(order).toHaveTextContent('₹1,59,300');
  expect(within(order).getByRole('link', { name: 'Renewals & Billing' })).toHaveAttribute(
    'href',
    `/subscription_list?search=${transactionId}`,
  );
  expect(within(order).getByRole('button', { name: 'Download invoice FP/26-27/000001, PDF' })).toBeVisible();
});

test('without an order to show nothing is asked for', () => {
  renderRoutes([{ path: 'store-details', element: <OrderNotice /> }]);
  expect(screen.queryByRole('region')).not.toBeInTheDocument();
});

test('the page follows a payment from confirming to paid, and says so', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  answer(
    'get',
    '/subscription/payments/status/{transaction_id}',
    paymentState({ state: 'confirming', charged: 'unknown', invoice_id: null, invoice_number: null, poll_after: 2 }),
  );
  renderRoutes(routes, { at: failed });
  expect(await screen.findByRole('heading', { name: 'Confirming your payment…' })).toBeVisible();
  expect(screen.getByText('Confirming your payment.')).toHaveAttribute('role', 'status');
  answer('get', '/subscription/payments/status/{transaction_id}', paymentState());
  await act(() => vi.advanceTimersByTimeAsync(2100));
  expect(await screen.findByRole('heading', { name: 'Congratulations..' })).toBeVisible();
  expect(screen.getByText('Your order has been successfully placed.')).toHaveAttribute('role', 'status');
});

test('a long confirmation lets people go', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  answer(
    'get',
    '/subscription/payments/status/{transaction_id}',
    paymentState({ state: 'confirming', poll_after: 60 }),
  );
  renderRoutes(routes, { at: success });
  await screen.findByRole('heading', { name: 'Confirming your payment…' });
  await act(() => vi.advanceTimersByTimeAsync(20_100));
  expect(screen.getByText(/It takes longer than usual/)).toBeVisible();
});

test('a failed order says why and whether money left, and Try Again keeps the choice', async () => {
  answer(
    'get',
    '/subscription/payments/status/{transaction_id}',
    paymentState({ state: 'failed', charged: 'unknown', reason: 'Your bank declined the payment.', invoice_id: null }),
  );
  renderRoutes(routes, { at: failed });
  expect(await screen.findByRole('heading', { level: 1, name: 'Failed' })).toBeVisible();
  expect(screen.getByText('Your order could not be processed')).toBeVisible();
  expect(screen.getByText('Your bank declined the payment.')).toBeVisible();
  expect(
    screen.getByText(
      /^We have no confirmation of a payment yet\. If money left your account, it either completes this order/,
    ),
  ).toBeVisible();
  expect(screen.queryByText(/nothing was charged/i)).not.toBeInTheDocument();
  expect(screen.getByText(transactionId)).toBeVisible();
  expect(screen.getByRole('link', { name: 'Try Again' })).toHaveAttribute(
    'href',
    `/plan/start-up/annual/${ids.plan}?service=${ids.service}&add_ons=${ids.addOn}`,
  );
});

test('where money may have left, that is said; where it has left, nobody is asked to pay again', async () => {
  answer(
    'get',
    '/subscription/payments/status/{transaction_id}',
    paymentState({ state: 'expired', charged: 'unknown', selection: null }),
  );
  const { unmount } = renderRoutes(routes, { at: failed });
  expect(await screen.findByText(/We have no confirmation of a payment yet/)).toBeVisible();
  expect(screen.getByRole('link', { name: 'Try Again' })).toHaveAttribute('href', '/dashboard');
  unmount();
  answer(
    'get',
    '/subscription/payments/status/{transaction_id}',
    paymentState({ state: 'failed', charged: 'charged' }),
  );
  renderRoutes(routes, { at: failed });
  expect(await screen.findByText(/You need not pay again/)).toBeVisible();
  expect(screen.queryByRole('link', { name: 'Try Again' })).not.toBeInTheDocument();
});

test('a held payment is explained', async () => {
  answer(
    'get',
    '/subscription/payments/status/{transaction_id}',
    paymentState({ state: 'held', charged: 'charged', reason: 'The amount does not match.', amount: '₹14,749' }),
  );
  renderRoutes(routes, { at: success });
  expect(await screen.findByRole('heading', { name: 'We are looking at your payment' })).toBeVisible();
  expect(screen.getByText(/Please do not pay again/)).toHaveTextContent('₹14,749 was received.');
});

test('an unknown or missing order is not an error of the server', async () => {
  refuse('get', '/subscription/payments/status/{transaction_id}', 404);
  const { unmount } = renderRoutes(routes, { at: success });
  expect(await screen.findByText('We do not know this order.')).toBeVisible();
  unmount();
  renderRoutes(routes, { at: '/checkout/result/success' });
  expect(await screen.findByText('We do not know this order.')).toBeVisible();
});

test('a state that cannot be loaded can be asked for again', async () => {
  refuse('get', '/subscription/payments/status/{transaction_id}', 500, { request_id: 'req-3' });
  const { user } = renderRoutes(routes, { at: success });
  expect(await screen.findByText('Request id: req-3')).toBeVisible();
  answer('get', '/subscription/payments/status/{transaction_id}', paymentState());
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByRole('heading', { name: 'Congratulations..' })).toBeVisible();
});

test('the results obey the accessibility rules', async () => {
  answer('get', '/subscription/payments/status/{transaction_id}', paymentState());
  const { container } = renderRoutes(routes, { at: success });
  await screen.findByRole('heading', { name: 'Congratulations..' });
  expect(await accessibilityFaults(container)).toEqual([]);
});
