import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { getDefaultStore } from 'jotai';
import { afterEach, expect, test } from 'vitest';
import { gatewayDetails, paymentSession } from '@/testing/payment-factories';
import { renderRoutes } from '@/testing/render';
import { answer, refuse } from '@/testing/server';
import { ids, transactionId } from '@/testing/subscription-factories';
import type { Charge } from './charge';
import { gatewayDetailsAtom, pendingPaymentAtom } from './pending-payment';
import { HAND_OFF_PATH, usePayment } from './use-payment';

const REQUEST = '/subscription/payments/request';
const back = '/plan/start-up/annual/1?review=1';
const total = 15930000;
const yearly: Charge = {
  of: 'plan',
  selection: { plan_type: 'yearly', plan_services_id: ids.service, add_ons_service_id: [] },
};
const monthly: Charge = { of: 'plan', selection: { ...yearly.selection, plan_type: 'monthly' } as never };
const store = getDefaultStore();
let pricesSeenAnew = 0;

function Screen() {
  const { pay, pending, problem, priceChanged, reset } = usePayment({ back, onPriceChanged: () => pricesSeenAnew++ });
  return (
    <>
      <button onClick={() => pay(yearly, total)}>Pay</button>
      <button onClick={() => pay(yearly, total + 100)}>Pay the new price</button>
      <button onClick={() => pay(monthly, 1500000)}>Pay monthly</button>
      <button onClick={reset}>Close</button>
      {pending && <p>Asking the gateway</p>}
      {priceChanged && <p>The price has changed</p>}
      {problem && <p role="alert">{problem.detail}</p>}
    </>
  );
}

function open() {
  pricesSeenAnew = 0;
  return renderRoutes([{ path: 'pay', element: <Screen /> }]);
}
const press = (name: string) => screen.getByRole('button', { name });
const address = () => screen.findByTestId('address');

afterEach(() => {
  store.set(pendingPaymentAtom, null);
  store.set(gatewayDetailsAtom, null);
});

test('paying asks once for the total that was seen and leads to the gateway', async () => {
  const sent = answer('post', REQUEST, paymentSession(), 'Order created.');
  const { user } = open();
  await user.click(press('Pay'));
  expect(await address()).toHaveTextContent(HAND_OFF_PATH);
  expect(sent.bodies).toEqual([{ ...yearly.selection, expected_total: total }]);
  const key = sent.requests[0]?.headers.get('Idempotency-Key');
  expect(key).toMatch(/^[\da-f-]{32,36}$/);
  expect(store.get(gatewayDetailsAtom)).toEqual(gatewayDetails);
  expect(store.get(pendingPaymentAtom)).toEqual({
    charge: yearly,
    extras: { expected_total: total },
    key,
    amount: '₹1,59,300',
    transactionId,
    back,
  });
});

test('a double click on Pay is one payment, even before the screen has been drawn anew', async () => {
  const sent = answer('post', REQUEST, paymentSession(), 'Order created.');
  open();
  const button = press('Pay');
  act(() => {
    button.click();
    button.click();
  });
  fireEvent.click(button);
  await address();
  expect(sent.requests).toHaveLength(1);
  expect(screen.getAllByText('Order created.')).toHaveLength(1);
});

test('while a payment is asked for, another choice is not paid as well', async () => {
  const sent = answer('post', REQUEST, paymentSession());
  open();
  act(() => {
    press('Pay').click();
    press('Pay monthly').click();
  });
  await address();
  expect(sent.bodies).toEqual([{ ...yearly.selection, expected_total: total }]);
});

test('trying again after a failure is the same attempt, so that it cannot charge twice', async () => {
  const failed = refuse('post', REQUEST, 503, { message: 'The gateway does not answer.' });
  const { user } = open();
  await user.click(press('Pay'));
  expect(await screen.findByRole('alert')).toHaveTextContent('The gateway does not answer.');
  const again = answer('post', REQUEST, paymentSession());
  await user.click(press('Pay'));
  await address();
  const key = failed.requests[0]?.headers.get('Idempotency-Key');
  expect(again.requests[0]?.headers.get('Idempotency-Key')).toBe(key);
});

test('another choice, or another price, is another attempt', async () => {
  const failed = refuse('post', REQUEST, 503, { message: 'Down.' });
  const { user } = open();
  for (const name of ['Pay', 'Pay the new price', 'Pay monthly']) {
    await user.click(press(name));
    await screen.findByRole('alert');
  }
  await waitFor(() => expect(failed.requests).toHaveLength(3));
  expect(new Set(failed.requests.map(({ headers }) => headers.get('Idempotency-Key'))).size).toBe(3);
});

test('a failure goes when the dialog is closed', async () => {
  refuse('post', REQUEST, 503, { message: 'Down.' });
  const { user } = open();
  await user.click(press('Pay'));
  await screen.findByRole('alert');
  await user.click(press('Close'));
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
});

test('a price that changed is shown before anything is paid', async () => {
  refuse('post', REQUEST, 409, { code: 'price_changed', message: 'The price has changed.' });
  const { user } = open();
  await user.click(press('Pay'));
  expect(await screen.findByText('The price has changed')).toBeVisible();
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  expect(pricesSeenAnew).toBe(1);
  expect(store.get(pendingPaymentAtom)).toBeNull();
});

test.each(['address_required', 'name_required'] as const)(
  '%s leads to the address and back to this choice',
  async (code) => {
    refuse('post', REQUEST, 422, {
      code,
      message: 'We need an address for the invoice.',
      redirect_to: '/store-details/address',
      messages: { city: ['City can not be empty.'] },
    });
    const { user } = open();
    await user.click(press('Pay'));
    const led = await address();
    expect(led.textContent).toMatch(/^\/store-details\/address\?/);
    expect(decodeURIComponent(led.textContent)).toContain(back);
    expect(led.dataset.state).toContain('City can not be empty.');
  },
);

test.each(['already_paid', 'payment_held'] as const)('%s leads to the page of the earlier payment', async (code) => {
  const result = `/checkout/result/success?transaction_id=${transactionId}`;
  refuse('post', REQUEST, 409, { code, message: 'You have paid for it.', redirect_to: result });
  const { user } = open();
  await user.click(press('Pay'));
  expect(await address()).toHaveTextContent(result);
});

test('an address on another site is not followed', async () => {
  refuse('post', REQUEST, 409, { code: 'already_paid', message: 'Paid.', redirect_to: 'https://elsewhere.example/' });
  const { user } = open();
  await user.click(press('Pay'));
  expect(await screen.findByRole('alert')).toHaveTextContent('Paid.');
  expect(screen.queryByTestId('address')).not.toBeInTheDocument();
});

test('what costs nothing is done without a gateway', async () => {
  answer(
    'post',
    REQUEST,
    paymentSession({ gateway_details: null, transaction_id: null, redirect_to: 'subscription_store' }),
    'Your plan has changed.',
  );
  const { user } = open();
  await user.click(press('Pay'));
  expect(await address()).toHaveTextContent('/store-details');
  expect(screen.getByText('Your plan has changed.')).toBeVisible();
  expect(store.get(pendingPaymentAtom)).toBeNull();
});
