import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderRoutes } from '@/testing/render';
import type { Customer } from '../api/customers';
import { CustomerFacts } from './customer-facts';

const customer = {
  id: 'c1',
  mobile: '9876543210',
  email: 'asha@example.in',
  created_at: '2026-11-21T05:30:00Z',
  state: 'active',
  plan: 'Growth · Apex',
  plan_type: 'yearly',
  renew_on: '2027-11-21',
  next_bill: { on: '2027-11-21', pay_by: '2027-11-27', amount: '₹1,59,300' },
  refunded: '₹0',
  team: [] as Customer['team'],
  name: 'Asha Kulkarni',
  legal_name: 'Asha Sweets LLP',
  last_payment: {
    id: 'p1',
    transaction_id: 'FP261121ABC',
    gateway: 'payu',
    state: 'failed',
    amount: '₹14,750',
    at: '2026-11-21T05:30:00Z',
    reason: 'Transaction Failed at bank end.',
  },
  add_ons: [] as string[],
  health: [] as Customer['health'],
} as Customer;

function open(eraseOn: string | null, health: Customer['health'] = []) {
  renderRoutes([
    { path: 'facts', element: <CustomerFacts customer={{ ...customer, erase_on: eraseOn, health }} now={0} /> },
  ]);
  return screen.getByText('Next bill').nextElementSibling;
}

test('who has no sign-in that is still kept was seen before, not never', () => {
  open(null);
  expect(screen.getByText('Last seen').nextElementSibling).toHaveTextContent(/^Not in the last 30 days$/);
});

test('the next bill stands with the day by which it is paid', () => {
  expect(open(null)).toHaveTextContent('₹1,59,300 on 21 Nov 2027');
  expect(screen.getByText('To be paid by').nextElementSibling).toHaveTextContent('27 Nov 2027');
});

test('an account that is to be erased has no next bill, as its customer reads', () => {
  expect(open('2026-11-28')).toHaveTextContent(
    /^Nothing is billed: the account is to be erased on 28 Nov 2026 at the earliest$/,
  );
  expect(screen.queryByText('To be paid by')).not.toBeInTheDocument();
});

test('shows the person beside the company, and the last payment with amount, time and reason', () => {
  open(null);
  expect(screen.getByText('Person', { selector: 'dt' }).nextElementSibling).toHaveTextContent('Asha Kulkarni');
  expect(screen.getByText('Legal name').nextElementSibling).toHaveTextContent('Asha Sweets LLP');
  expect(screen.getByText('Last payment').nextElementSibling).toHaveTextContent(
    /^₹14,750 failed, 21 Nov 2026.*: Transaction Failed at bank end\.$/,
  );
  expect(screen.getByRole('link', { name: '₹14,750 failed' })).toHaveAttribute('href', '/support/payments/FP261121ABC');
});

test('a customer without a name has None in the row of the person', () => {
  renderRoutes([{ path: 'facts', element: <CustomerFacts customer={{ ...customer, name: '' }} now={0} /> }]);
  expect(screen.getByText('Person', { selector: 'dt' }).nextElementSibling).toHaveTextContent(/^None$/);
});

test('what else is wrong with an account takes no bill away, however it is worded', () => {
  const text = 'The customer has asked for its account to be erased.';
  expect(open(null, [{ level: 'warn', kind: 'account', text, payment: '' }])).toHaveTextContent('₹1,59,300');
});
