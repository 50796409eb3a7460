import { act, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { gatewayDetailsAtom, pendingPaymentAtom } from '@/domain/payment/pending-payment';
import { startSession } from '@/lib/session/session';
import { franchiserUser } from '@/testing/factories';
import { gatewayDetails, paymentSession, paymentState } from '@/testing/payment-factories';
import { renderRoutes } from '@/testing/render';
import { answer, refuse } from '@/testing/server';
import { transactionId } from '@/testing/subscription-factories';
import { CONTINUE_MS } from '@/domain/payment/gateway-form';
import { pending, routes, store, submit, success, withPayment } from './checkout.fixture';

withPayment();

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

test('a payment that is refused for good is not resumed', async () => {
  answer(
    'get',
    '/subscription/payments/status/{transaction_id}',
    paymentState({ state: 'confirming', poll_after: 60 }),
  );
  refuse('post', '/subscription/payments/request', 409, {
    code: 'plan_retired',
    message: 'This plan is not sold any more.',
    redirect_to: '/pricing',
  });
  const { user } = renderRoutes(routes);
  await user.click(await screen.findByRole('button', { name: 'Resume payment' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('This plan is not sold any more.');
  expect(screen.queryByRole('button', { name: 'Resume payment' })).not.toBeInTheDocument();
});

test('no payment is resumed while the account is to be erased', async () => {
  startSession(franchiserUser({ erase_on: '2026-11-28' }));
  answer(
    'get',
    '/subscription/payments/status/{transaction_id}',
    paymentState({ state: 'confirming', poll_after: 60 }),
  );
  renderRoutes(routes);
  expect(await screen.findByRole('button', { name: 'Keep my account' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Resume payment' })).not.toBeInTheDocument();
});

test('without a payment under way the hand-off says so', () => {
  store.set(pendingPaymentAtom, null);
  renderRoutes(routes);
  expect(screen.getByRole('heading', { name: 'No payment is waiting' })).toBeVisible();
  expect(submit).not.toHaveBeenCalled();
});

test('without a payment under way nothing is offered to an account that is to be erased', () => {
  startSession(franchiserUser({ erase_on: '2026-11-28' }));
  store.set(pendingPaymentAtom, null);
  renderRoutes(routes);
  expect(screen.getByRole('button', { name: 'Keep my account' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Renewals & Billing' })).toBeVisible();
  expect(screen.queryByRole('link', { name: 'Explore Our Plans' })).not.toBeInTheDocument();
});
