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
  health: [] as Customer['health'],
} as Customer;

function open(text?: string) {
  const health = text ? [{ level: 'warn', kind: 'account', text, payment: '' } as const] : [];
  renderRoutes([{ path: 'facts', element: <CustomerFacts customer={{ ...customer, health }} now={0} /> }]);
  return screen.getByText('Next bill').nextElementSibling;
}

test('the next bill stands with the day by which it is paid', () => {
  expect(open()).toHaveTextContent('₹1,59,300 on 21 Nov 2027');
  expect(screen.getByText('To be paid by').nextElementSibling).toHaveTextContent('27 Nov 2027');
});

test.each(['The customer has asked for its account to be erased.', 'The erasure waits: ₹500 is owed to the customer.'])(
  'an account that is to be erased has no next bill, as its customer reads: %s',
  (text) => {
    expect(open(text)).toHaveTextContent(/^Nothing is billed: the account is to be erased$/);
    expect(screen.queryByText('To be paid by')).not.toBeInTheDocument();
  },
);
