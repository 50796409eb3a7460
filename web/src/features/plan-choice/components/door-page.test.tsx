import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import type { Role } from '@/lib/session/roles';
import { startSession } from '@/lib/session/session';
import { franchiserUser } from '@/testing/factories';
import { paymentSession, preview } from '@/testing/payment-factories';
import { press } from '@/testing/press';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { answer, refuse } from '@/testing/server';
import { ids, planDetails } from '@/testing/subscription-factories';
import { DoorPage } from './door-page';
import { forgetPayment, reviewPath } from './plan-choice.fixture';

const at = `/buy/start-up/annual/${ids.plan}?service=${ids.service}`;
const REQUEST = '/subscription/payments/request';
const DETAILS = '/subscription/payments/details';

const saved = {
  id: 'a-1',
  address: '12/4',
  street: '',
  landmark: '',
  country_id: 'IN',
  state_id: '27',
  city_id: '27-pune',
  country: 'India',
  state: 'Maharashtra',
  city: 'Pune',
  zipcode: '411001',
  latitude: null,
  longitude: null,
  location: 'Camp, Pune',
  legal_name: 'Asha Sweets',
  gstin: null,
};

function setup({ signedIn = false, role = 'owner' as Role, address = [] as (typeof saved)[] } = {}) {
  const accountName = role === 'owner' ? null : 'Asha Sweets LLP';
  if (signedIn) startSession(franchiserUser({ role, account_name: accountName }));
  answer('get', '/subscription-plan/details/{id}', [planDetails()]);
  answer('post', '/subscription-plan/quote', preview());
  if (address.length > 0) answer('post', DETAILS, preview());
  else
    refuse('post', DETAILS, 422, { code: 'address_required', redirect_to: '/store-details/address', message: 'No.' });
  answer('get', '/profile/address/{id}', address as never);
  answer('get', '/country', [{ id: 'IN', name: 'India' }]);
  answer('get', '/state/{id}', [{ id: '27', name: 'Maharashtra' }]);
  answer('get', '/city/{id}', [{ id: '27-pune', name: 'Pune' }]);
  answer('post', '/profile/search-address', { 'search-suggestions': [] });
  return renderRoutes([{ path: 'buy/:keyA/:keyB/:keyC', element: <DoorPage account={<p>Sign up here</p>} /> }], { at });
}

const choice = () => screen.findByRole('region', { name: 'Your choice' });

beforeEach(forgetPayment);

test('a stranger sees the choice, what it costs with GST, and how to change it, above the account', async () => {
  const { container } = setup();
  expect(screen.getByText('Sign up here')).toBeVisible();
  const box = within(await choice());
  expect(await box.findByText('₹1,59,300', { selector: 'strong' })).toBeVisible();
  expect(box.getAllByText('Start up · Expansion, yearly')).toHaveLength(2); // the choice and its line of the charge
  expect(box.getByText(/for one year, 18% GST included/)).toBeVisible();
  expect(box.getByRole('link', { name: 'Change your choice' })).toHaveAttribute(
    'href',
    reviewPath.replace('&review=1', ''),
  );
  expect(
    within(screen.getByRole('list', { name: 'Steps' }))
      .getByText('Account')
      .closest('li'),
  ).toHaveAttribute('aria-current', 'step');
  expect(await accessibilityFaults(container)).toEqual([]);
});

test('keeps the place of each part while the plan and the price load, so that nothing below moves', async () => {
  const parts = () =>
    [...screen.getByRole('region', { name: 'Your choice' }).children].map(
      (part) => `${part.tagName} ${part.className}`,
    );
  setup();
  const before = parts();
  expect(before).toEqual(['DIV door-order-head', 'P door-total', 'DETAILS door-lines', 'DETAILS door-lines']);
  expect(await screen.findByText('₹1,59,300', { selector: 'strong' })).toBeVisible();
  expect(parts()).toEqual(before);
});

test('explains the value of a GSTIN, previews the typed recipient, and saves and pays in one step', async () => {
  const { user } = setup({ signedIn: true });
  expect(await screen.findByRole('heading', { level: 1, name: 'Billing and payment' })).toBeVisible();
  expect(await screen.findByLabelText(/^GSTIN/)).toHaveAccessibleDescription(
    'Registered for GST? Claim ₹24,300 as input tax credit.',
  );
  await user.clear(screen.getByLabelText('Name for the invoice'));
  await user.type(screen.getByLabelText('Name for the invoice'), 'Asha Sweets');
  const billed = screen.getByRole('region', { name: 'Billed to' });
  expect(within(billed).getByText('Asha Sweets')).toBeVisible();
  expect(within(billed).getByText(/no input tax credit/)).toBeVisible();
  await user.type(screen.getByLabelText('Location'), 'Camp, Pune');
  await user.type(screen.getByLabelText('House number and floor'), '7');
  expect(within(billed).getByText('7, Camp')).toBeVisible();
  await user.type(screen.getByLabelText('Pincode'), '411001');
  await user.click(screen.getByRole('combobox', { name: /^State/ }));
  await user.click(await screen.findByRole('option', { name: 'Maharashtra' }));
  await user.type(screen.getByLabelText('City'), 'Pune');
  const stored = answer('post', '/profile/address', saved);
  const request = answer('post', REQUEST, paymentSession());
  await user.click(screen.getByRole('button', { name: 'Pay ₹1,59,300' }));
  expect(await screen.findByTestId('address')).toHaveTextContent('/checkout/pay');
  expect(stored.bodies).toMatchObject([{ legal_name: 'Asha Sweets', street: '', landmark: '', address: '7' }]);
  expect(request.bodies).toMatchObject([{ plan_services_id: ids.service, expected_total: 15930000 }]);
});

test('who is known sees whom the invoice names, may change it, and hears why a payment was not begun', async () => {
  const { user } = setup({ signedIn: true, address: [saved] });
  const billed = within(await screen.findByRole('region', { name: 'Billed to' }));
  expect(billed.getByText('12/4, Camp')).toBeVisible();
  expect(billed.getByText('Pune, Maharashtra 411001')).toBeVisible();
  refuse('post', REQUEST, 503, { message: 'The gateway does not answer.' });
  await press(user, screen.getByRole('button', { name: 'Pay ₹1,59,300' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('The gateway does not answer.');
  await user.click(billed.getByRole('button', { name: 'Change whom to bill' }));
  expect(await screen.findByLabelText('Name for the invoice')).toHaveValue('Asha Sweets');
});

test.each([
  ['a first address', undefined],
  ['a stored address', [saved]],
])('shows the ways of paying above the button that pays with %s', async (_name, address) => {
  setup({ signedIn: true, ...(address && { address }) });
  const pay = await screen.findByRole('button', { name: 'Pay ₹1,59,300' });
  const ways = screen.getByRole('group', { name: 'How would you like to pay?' });
  expect(ways.compareDocumentPosition(pay)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
});

test('warns once of a debit that the payment finds, and pays despite it', async () => {
  const { user } = setup({ signedIn: true, address: [saved] });
  const undecided_debit = { amount: '₹1,59,300', asked_on: '2027-11-20', decided_by: '2027-11-25' };
  const pay = await screen.findByRole('button', { name: 'Pay ₹1,59,300' });
  answer('post', DETAILS, preview({ undecided_debit }));
  refuse('post', REQUEST, 409, { code: 'debit_undecided', message: 'The bank has not answered.' });
  await press(user, pay);
  const again = await screen.findByRole('button', { name: 'Pay anyway · ₹1,59,300' });
  expect(screen.getByRole('alert')).toHaveTextContent(/^Your bank was asked for ₹1,59,300 on 20 Nov 2027/);
  const request = answer('post', REQUEST, paymentSession());
  await press(user, again);
  expect(await screen.findByTestId('address')).toHaveTextContent('/checkout/pay');
  expect(request.bodies).toMatchObject([{ expected_total: 15930000, pay_despite_debit: true }]);
});

test('a change of a plan that runs is seen line by line elsewhere', async () => {
  startSession(franchiserUser({ is_active: true }));
  const view = setup({ address: [saved] });
  answer('post', DETAILS, preview({ kind: 'upgrade' }));
  expect(await screen.findByTestId('address')).toHaveTextContent(reviewPath);
  view.unmount();
});

test('a plan that is gone leads to the others', async () => {
  refuse('get', '/subscription-plan/details/{id}', 404);
  renderRoutes([{ path: 'buy/:keyA/:keyB/:keyC', element: <DoorPage account={null} /> }], { at });
  expect(await screen.findByText('This plan is no longer on offer.')).toBeVisible();
  await waitFor(() =>
    expect(screen.getByRole('link', { name: 'View Other Plans' })).toHaveAttribute('href', '/pricing'),
  );
});

test('shows a member who may buy, without a form', async () => {
  const { container } = setup({ signedIn: true, role: 'manager' });
  expect(await screen.findByText(/Only the owner of that account chooses and pays/)).toBeVisible();
  expect(await within(await choice()).findByText('₹1,59,300', { selector: 'strong' })).toBeVisible();
  expect(screen.queryByRole('button', { name: /Pay|Save/ })).not.toBeInTheDocument();
  expect(screen.queryByLabelText('Location')).not.toBeInTheDocument();
  expect(await accessibilityFaults(container)).toEqual([]);
});
