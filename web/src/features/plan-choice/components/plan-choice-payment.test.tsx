import { screen, waitFor, within } from '@testing-library/react';
import { getDefaultStore } from 'jotai';
import { beforeEach, expect, test } from 'vitest';
import { gatewayDetailsAtom } from '@/domain/payment/pending-payment';
import { readPaymentMethod } from '@/lib/payment-method';
import { startSession } from '@/lib/session/session';
import { franchiserUser } from '@/testing/factories';
import { gatewayDetails, paymentSession, preview } from '@/testing/payment-factories';
import { press } from '@/testing/press';
import { answer, refuse } from '@/testing/server';
import { ids, noPlan, subscription } from '@/testing/subscription-factories';
import { at, bar, forgetPayment, reviewPath, setup } from './plan-choice.fixture';

beforeEach(forgetPayment);

test('View Details opens the payment details, whose button pays exactly the total shown', async () => {
  const request = answer(
    'post',
    '/subscription/payments/request',
    paymentSession(),
    'Taking you to the secure payment page…',
  );
  const { user } = setup({ signedIn: true });
  await user.click(await screen.findByRole('button', { name: 'View Details' }));
  const dialog = await screen.findByRole('dialog', { name: 'Payment Details' });
  expect(await within(dialog).findByRole('row', { name: 'Annual payment discount 10% -₹15,000' })).toBeVisible();
  expect(within(dialog).getByText(/Starts on 21 Nov 2026, renews on 21 Nov 2027/)).toBeVisible();

  await press(user, within(dialog).getByRole('button', { name: 'Pay ₹1,59,300' }));
  expect(await screen.findByTestId('address')).toHaveTextContent('/checkout/pay');
  expect(request.bodies).toEqual([
    { plan_type: 'yearly', plan_services_id: ids.service, add_ons_service_id: [], expected_total: 15930000 },
  ]);
  expect(request.requests[0]?.headers.get('Idempotency-Key')).toMatch(/^[0-9a-f]{32}$/);
  expect(getDefaultStore().get(gatewayDetailsAtom)).toEqual(gatewayDetails);
  expect(sessionStorage.getItem('franchise360-pending-payment')).not.toContain(gatewayDetails.hash);
});

test('during the free trial the page says that buying ends the trial today', async () => {
  startSession(franchiserUser({ is_active: true }));
  const trial = subscription({ state: 'trialing', payment_type: 'free trial', plan_renew_on: '2026-12-12' });
  answer('get', '/subscription/dashboard', noPlan({ subscription: trial }));
  setup();
  expect(
    await screen.findByText(
      'Your free trial runs until 11 Dec 2026. If you buy now, the paid term begins today and the trial ends. Buy on its last day to use all of it.',
    ),
  ).toBeVisible();
});

test('a buyer with a running paid plan reads nothing about a trial', async () => {
  startSession(franchiserUser({ is_active: true }));
  const asked = answer('get', '/subscription/dashboard', noPlan({ subscription: subscription() }));
  setup();
  await expect.poll(() => asked.requests.length).toBeGreaterThan(0);
  await screen.findByRole('button', { name: 'View Details' });
  expect(screen.queryByText(/^Your free trial runs until/)).not.toBeInTheDocument();
});

test('the way to pay is chosen by one click in the payment details, without typing', async () => {
  startSession(franchiserUser());
  const { user } = setup();
  await user.click(await screen.findByRole('button', { name: 'View Details' }));
  const dialog = await screen.findByRole('dialog', { name: 'Payment Details' });
  const methods = within(await within(dialog).findByRole('group', { name: 'How would you like to pay?' }));
  expect(methods.getAllByRole('radio').map((one) => one.closest('label')?.textContent)).toEqual([
    'Card',
    'UPI',
    'Netbanking',
  ]);
  for (const method of ['UPI', 'Card']) {
    await user.click(methods.getByRole('radio', { name: method }));
    expect(readPaymentMethod()).toBe(method.toLowerCase());
  }
});

test('Secure Payment requests the payment at once', async () => {
  const request = answer('post', '/subscription/payments/request', paymentSession());
  const { user } = setup({ signedIn: true });
  await within(await bar()).findByText('₹1,59,300');
  await user.click(screen.getByRole('button', { name: 'Secure Payment' }));
  expect(await screen.findByTestId('address')).toHaveTextContent('/checkout/pay');
  expect(request.bodies).toHaveLength(1);
});

test('a change of a running plan is shown line by line before it is paid', async () => {
  const { user } = setup({ signedIn: true });
  answer('post', '/subscription/payments/details', preview({ kind: 'downgrade', expected_total: 0, total: '₹0' }));
  const request = answer(
    'post',
    '/subscription/payments/request',
    paymentSession({ gateway_details: null, transaction_id: null, redirect_to: 'subscription_dashboard' }),
  );
  await within(await bar()).findByText('₹0');
  await user.click(screen.getByRole('button', { name: 'Secure Payment' }));
  expect(request.bodies).toHaveLength(0);
  await press(user, await screen.findByRole('button', { name: 'Schedule the change' }));
  expect(await screen.findByTestId('address')).toHaveTextContent('/dashboard');
});

test('without a business address the way leads there and back to the same details', async () => {
  refuse('post', '/subscription/payments/request', 422, {
    code: 'address_required',
    redirect_to: '/store-details/address',
    message: 'Please give your business address first.',
  });
  const { user } = setup({ signedIn: true });
  await within(await bar()).findByText('₹1,59,300');
  await user.click(screen.getByRole('button', { name: 'Secure Payment' }));
  expect(await screen.findByTestId('address')).toHaveTextContent(
    `/store-details/address?return=${encodeURIComponent(reviewPath)}`,
  );
});

test('a refusal takes the button to pay away, and stands in the bar without a toast over it', async () => {
  refuse('post', '/subscription/payments/request', 409, {
    code: 'erasure_scheduled',
    redirect_to: '/account/security',
    message: 'Your account is about to be erased.',
  });
  const { user } = setup({ signedIn: true });
  await within(await bar()).findByText('₹1,59,300');
  await user.click(screen.getByRole('button', { name: 'Secure Payment' }));
  expect(await within(await bar()).findByText(/about to be erased/)).toBeVisible();
  expect(screen.getAllByText(/about to be erased/)).toHaveLength(1);
  expect(within(await bar()).getByRole('link', { name: 'Keep my account' })).toHaveAttribute(
    'href',
    '/account/security',
  );
  expect(screen.queryByRole('button', { name: 'Secure Payment' })).not.toBeInTheDocument();
});

test('an account that is to be erased sees the price, why it cannot pay, and the way to keep the account', async () => {
  setup({ signedIn: true, eraseOn: '2026-11-28' });
  await within(await bar()).findByText('₹1,59,300');
  expect(screen.getByText(/^Your account will be erased on 28 Nov 2026\./)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Keep my account' })).toBeVisible();
  for (const name of ['Secure Payment', 'View Details'])
    expect(screen.queryByRole('button', { name })).not.toBeInTheDocument();
});

test.each([at, reviewPath])('a member sees the public price at %s, and who may buy', async (address) => {
  const { own } = setup({ signedIn: true, role: 'accountant', address });
  await within(await bar()).findByText('₹1,59,300');
  expect(screen.getByText(/Only the owner of that account chooses and pays/)).toHaveTextContent('Asha Sweets LLP');
  expect(screen.getByRole('link', { name: 'Switch account' })).toHaveAttribute('href', '/accounts');
  for (const name of ['Secure Payment', 'View Details'])
    expect(screen.queryByRole('button', { name })).not.toBeInTheDocument();
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  expect(own.bodies).toEqual([]);
});

test('what cannot be paid, as the price already says, has no button to pay', async () => {
  setup({
    signedIn: true,
    refused: {
      code: 'payment_held',
      redirect_to: '/checkout/result/success?transaction_id=FP1',
      message: 'We are looking at your payment of ₹14,749.',
    },
  });
  expect(await within(await bar()).findByText('We are looking at your payment of ₹14,749.')).toBeVisible();
  expect(within(await bar()).getByRole('link', { name: 'See this payment' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Secure Payment' })).not.toBeInTheDocument();
});

test('without a name for the invoice the way leads to the address, with the server’s words for the field', async () => {
  const objection = 'Write your company’s legal name, or your own first and last name.';
  refuse('post', '/subscription/payments/request', 422, {
    code: 'name_required',
    redirect_to: '/store-details/address',
    message: 'Please enter the name for your invoices first',
    messages: { legal_name: [objection] },
  });
  const { user } = setup({ signedIn: true });
  await within(await bar()).findByText('₹1,59,300');
  await user.click(screen.getByRole('button', { name: 'Secure Payment' }));
  const address = await screen.findByTestId('address');
  expect(address).toHaveTextContent(`/store-details/address?return=${encodeURIComponent(reviewPath)}`);
  expect(address).toHaveAttribute('data-state', JSON.stringify({ objections: { legal_name: [objection] } }));
});

test('a changed price is shown anew and never charged unseen; the same attempt keeps its key', async () => {
  const { user } = setup({ signedIn: true });
  await within(await bar()).findByText('₹1,59,300');
  const refused = refuse('post', '/subscription/payments/request', 409, {
    code: 'price_changed',
    expected_total: 17700000,
  });
  answer('post', '/subscription/payments/details', preview({ total: '₹1,77,000', expected_total: 17700000 }));
  await user.click(screen.getByRole('button', { name: 'Secure Payment' }));
  const dialog = await screen.findByRole('dialog', { name: 'Payment Details' });
  expect(await within(dialog).findByRole('alert')).toHaveTextContent('The price has changed since you saw it.');

  const second = answer('post', '/subscription/payments/request', paymentSession());
  await press(user, await within(dialog).findByRole('button', { name: 'Pay ₹1,77,000' }));
  await screen.findByTestId('address');
  expect(second.bodies).toMatchObject([{ expected_total: 17700000 }]);
  expect(second.requests[0]?.headers.get('Idempotency-Key')).not.toBe(
    refused.requests[0]?.headers.get('Idempotency-Key'),
  );
});

test('after a failed request the same charge is asked for under the same key', async () => {
  const { user } = setup({ signedIn: true, address: `${at}?review=1` });
  const failed = refuse('post', '/subscription/payments/request', 503, {
    message: 'The payment provider does not answer.',
  });
  await press(user, await screen.findByRole('button', { name: 'Pay ₹1,59,300' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('The payment provider does not answer.');
  const second = answer('post', '/subscription/payments/request', paymentSession());
  await press(user, screen.getByRole('button', { name: 'Pay ₹1,59,300' }));
  await screen.findByTestId('address');
  expect(second.requests[0]?.headers.get('Idempotency-Key')).toBe(failed.requests[0]?.headers.get('Idempotency-Key'));
});

test('a charge that was paid since leads to its result', async () => {
  const { user } = setup({ signedIn: true, address: `${at}?review=1` });
  const result = '/checkout/result/success?transaction_id=T1';
  refuse('post', '/subscription/payments/request', 409, {
    code: 'already_paid',
    redirect_to: result,
    message: 'This has already been paid. See your payments for the result.',
  });
  await press(user, await screen.findByRole('button', { name: 'Pay ₹1,59,300' }));
  expect(await screen.findByTestId('address')).toHaveTextContent(result);
  expect(screen.getByText('This has already been paid. See your payments for the result.')).toBeInTheDocument();
});

test('an address with the details opens them by itself, and closing them stays on the choice', async () => {
  const { user, router } = setup({ signedIn: true, address: `${at}?review=1` });
  const dialog = await screen.findByRole('dialog', { name: 'Payment Details' });
  await user.click(within(dialog).getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(router.state.location.search).not.toContain('review');
});

test('a change that waits for the renewal shows what comes then, and warns of franchises that it does not hold', async () => {
  const { user } = setup({ signedIn: true });
  const then = preview().payment_details;
  const downgrade = preview({
    kind: 'downgrade',
    total: '₹0',
    expected_total: 0,
    payment_details: [{ label: 'Total', type: 'total', value: '₹0' }],
    renewal_details: then,
    effective_on: '2027-11-21',
    franchises: { current: 40, limit: 18 },
  });
  answer('post', '/subscription/payments/details', downgrade);
  await user.click(await screen.findByRole('button', { name: 'View Details' }));
  const dialog = await screen.findByRole('dialog', { name: 'Payment Details' });
  expect(await within(dialog).findByText('Then, for the term from 21 Nov 2027')).toBeVisible();
  const after = within(dialog).getByRole('table', { name: 'The term after the change, line by line' });
  expect(within(after).getAllByRole('row')).toHaveLength(then.length);
  expect(within(dialog).getByText(/You have 40 franchises and this plan allows 18\. None is removed/)).toBeVisible();
  expect(within(dialog).getByRole('button', { name: 'Schedule the change' })).toBeVisible();
});
