import { act, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { pendingPaymentAtom } from '@/domain/payment/pending-payment';
import { keepPaymentMethod, readPaymentMethod } from '@/lib/payment-method';
import { paymentState } from '@/testing/payment-factories';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { answer, refuse } from '@/testing/server';
import { ids, noPlan, ownedAddOn, subscription, transactionId } from '@/testing/subscription-factories';
import { failed, routes, store, success, withPayment } from './checkout.fixture';

withPayment();

test('a paid order is congratulated, its id can be copied, and the way to the order and the store', async () => {
  answer('get', '/subscription/payments/status/{transaction_id}', paymentState());
  const { user } = renderRoutes(routes, { at: success });
  expect(await screen.findByRole('heading', { level: 1, name: 'Congratulations!' })).toBeVisible();
  expect(screen.getByText('Your Order has been successfully placed')).toBeVisible();
  expect(screen.getByRole('link', { name: 'View Order' })).toHaveAttribute(
    'href',
    `/subscription_list/${transactionId}`,
  );
  expect(screen.getByRole('link', { name: 'Set up your store' })).toHaveAttribute('href', '/store-details');
  expect(screen.getByRole('button', { name: 'Download invoice FP/26-27/000001, PDF' })).toBeVisible();

  await user.click(screen.getByRole('button', { name: 'Copy order id' }));
  expect(await navigator.clipboard.readText()).toBe(transactionId);
  expect(screen.getByText('Id copied')).toBeVisible();
  expect(store.get(pendingPaymentAtom)).toBeNull();
});

test('a paid order names the bought parts that are set up', async () => {
  answer('get', '/subscription/payments/status/{transaction_id}', paymentState());
  const plan_features = [{ features: 'Own Android and iOS app', desc: '' }];
  const add_ons_services = [ownedAddOn({ add_ons_service_name: 'Distribution model setup' })];
  answer('get', '/subscription/dashboard', noPlan({ subscription: subscription({ plan_features }), add_ons_services }));
  renderRoutes(routes, { at: success });
  const parts = await screen.findByRole('region', { name: 'What we set up with you' });
  expect(parts).toHaveTextContent('In connected systems: Own Android and iOS app (in 30 working days).');
  expect(parts).toHaveTextContent('By our staff: Distribution model setup (in 30 working days).');
});

test('with a store there is nothing to set up, and View Order leads to the order', async () => {
  answer('get', '/subscription/payments/status/{transaction_id}', paymentState({ has_store_details: true }));
  renderRoutes(routes, { at: success });
  const view = await screen.findByRole('link', { name: 'View Order' });
  expect(view).toHaveAttribute('href', `/subscription_list/${transactionId}`);
  expect(screen.queryByRole('link', { name: 'Set up your store' })).not.toBeInTheDocument();
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
  expect(await screen.findByRole('heading', { name: 'Congratulations!' })).toBeVisible();
  expect(screen.getByText('Order placed.')).toHaveAttribute('role', 'status');
});

test('a payment that the gateway is still processing offers no second attempt, whatever the address says', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  answer(
    'get',
    '/subscription/payments/status/{transaction_id}',
    paymentState({ state: 'confirming', captured: null, poll_after: 60 }),
  );
  renderRoutes(routes, { at: failed });
  await screen.findByRole('heading', { name: 'Confirming your payment…' });
  await act(() => vi.advanceTimersByTimeAsync(20_100));
  expect(screen.queryByRole('link', { name: 'Try Again' })).not.toBeInTheDocument();
});

test('an order that was not paid can be tried again from its page', async () => {
  answer(
    'get',
    '/subscription/payments/status/{transaction_id}',
    paymentState({ state: 'unpaid', charged: 'unknown', captured: null, invoice_id: null }),
  );
  renderRoutes(routes, { at: success });
  expect(await screen.findByRole('heading', { level: 1, name: 'No payment yet' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Try Again' })).toBeVisible();
});

test.each([
  ['failed', null],
  ['unpaid', null],
  ['expired', null],
  ['paid', 'upi'],
  ['confirming', 'upi'],
  ['held', 'upi'],
] as const)('after a payment that is %s the preferred method is %j', async (state, kept) => {
  keepPaymentMethod('upi');
  const captured = kept && state !== 'confirming' ? '₹1,59,300' : null;
  answer('get', '/subscription/payments/status/{transaction_id}', paymentState({ state, captured, poll_after: null }));
  renderRoutes(routes, { at: failed });
  await screen.findByText(transactionId);
  await waitFor(() => expect(readPaymentMethod()).toBe(kept));
});

test('a payment that was refunded because another one paid keeps the preferred method', async () => {
  keepPaymentMethod('upi');
  answer(
    'get',
    '/subscription/payments/status/{transaction_id}',
    paymentState({ state: 'failed', captured: '₹14,750' }),
  );
  renderRoutes(routes, { at: failed });
  await screen.findByText(transactionId);
  expect(readPaymentMethod()).toBe('upi');
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
  expect(screen.getByText(/This is taking longer than usual/)).toBeVisible();
});

test('a failed order says why and whether money left, and Try Again keeps the choice', async () => {
  answer(
    'get',
    '/subscription/payments/status/{transaction_id}',
    paymentState({
      state: 'failed',
      charged: 'unknown',
      reason: 'Your bank declined the payment.',
      captured: null,
      invoice_id: null,
    }),
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

test('where money may have left, that is said, and a renewal is tried again from the dashboard', async () => {
  answer(
    'get',
    '/subscription/payments/status/{transaction_id}',
    paymentState({ state: 'expired', charged: 'unknown', selection: null }),
  );
  renderRoutes(routes, { at: failed });
  expect(await screen.findByText(/We have no confirmation of a payment yet/)).toBeVisible();
  expect(screen.getByRole('link', { name: 'Try Again' })).toHaveAttribute('href', '/dashboard');
});

test('a held payment is explained', async () => {
  answer(
    'get',
    '/subscription/payments/status/{transaction_id}',
    paymentState({ state: 'held', charged: 'charged', reason: 'The amount does not match.', amount: '₹14,749' }),
  );
  renderRoutes(routes, { at: success });
  expect(await screen.findByRole('heading', { name: 'Payment under review' })).toBeVisible();
  expect(screen.getByText(/Please do not pay again/)).toHaveTextContent('₹14,749 was received.');
});

test('an unknown or missing order is not an error of the server', async () => {
  refuse('get', '/subscription/payments/status/{transaction_id}', 404);
  const { unmount } = renderRoutes(routes, { at: success });
  expect(await screen.findByText('We could not find this order.')).toBeVisible();
  unmount();
  renderRoutes(routes, { at: '/checkout/result/success' });
  expect(await screen.findByText('We could not find this order.')).toBeVisible();
});

test('a state that cannot be loaded can be asked for again', async () => {
  refuse('get', '/subscription/payments/status/{transaction_id}', 500, { request_id: 'req-3' });
  const { user } = renderRoutes(routes, { at: success });
  expect(await screen.findByText('Request id: req-3')).toBeVisible();
  answer('get', '/subscription/payments/status/{transaction_id}', paymentState());
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByRole('heading', { name: 'Congratulations!' })).toBeVisible();
});

test('retries automatically if the server fails, but not for an unknown order', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  refuse('get', '/subscription/payments/status/{transaction_id}', 500);
  const { unmount } = renderRoutes(routes, { at: success });
  expect(await screen.findByText('We could not load your order.')).toBeVisible();
  expect(screen.getByRole('heading', { level: 1, name: 'Your order' })).toBeInTheDocument();
  answer('get', '/subscription/payments/status/{transaction_id}', paymentState());
  await act(() => vi.advanceTimersByTimeAsync(5100));
  expect(await screen.findByRole('heading', { name: 'Congratulations!' })).toBeVisible();
  unmount();

  const unknown = refuse('get', '/subscription/payments/status/{transaction_id}', 404);
  renderRoutes(routes, { at: success });
  expect(await screen.findByText('We could not find this order.')).toBeVisible();
  await act(() => vi.advanceTimersByTimeAsync(11_000));
  expect(unknown.requests).toHaveLength(1);
});

test('the results obey the accessibility rules', async () => {
  answer('get', '/subscription/payments/status/{transaction_id}', paymentState());
  const { container } = renderRoutes(routes, { at: success });
  await screen.findByRole('heading', { name: 'Congratulations!' });
  expect(await accessibilityFaults(container)).toEqual([]);
});
