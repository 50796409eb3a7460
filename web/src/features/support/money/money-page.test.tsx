import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { mock, ok, server } from '@/testing/server';
import type { Customer } from '../api/customers';
import type { WaitingMoney } from '../api/help';
import { CustomerFacts, CustomerHealth } from '../customers/customer-facts';
import { rupees } from '../customers/customer-words';
import { MoneyPage } from './money-page';
const counts = {
  held: 1,
  disputes: 1,
  unconfirmed_disputes: 2,
  failed_refunds: 0,
  settlement_differences: 3,
  acknowledged_differences: 1,
};
const held: WaitingMoney = {
  kind: 'held',
  customer_id: 'c1',
  customer_name: 'Asha Sweets LLP',
  mobile: '9876543210',
  payment_id: 'p1',
  transaction_id: 'FP1',
  gateway: 'payu',
  bought: 'Start up · Expansion',
  reference: 'FP1',
  amount_paise: 14_749_00,
  due_paise: 14_750_00,
  since: '2026-11-20T09:01:30Z',
  answer_by: '',
  failure: '',
  owed: false,
  requested: false,
};
const dispute: WaitingMoney = {
  ...held,
  kind: 'dispute',
  customer_name: '',
  payment_id: 'p2',
  transaction_id: 'FP2',
  reference: '1795784',
  amount_paise: 1_59_300_00,
  due_paise: 0,
  answer_by: '2026-12-01 00:00:00',
};
const customer = {
  id: 'c1',
  name: '',
  mobile: '9876543210',
  renew_on: '2027-11-23',
  next_bill: null,
  team: [],
  mandates: [],
  add_ons: [],
  health: [],
  refunded: '₹0',
  created_at: '2026-11-20T09:01:30Z',
} as unknown as Customer;

test('the list says whose money it is, how much, since when, by when and what to do', async () => {
  const asked: string[] = [];
  server.use(
    mock.get('/api/support/me', () => ok({ id: 's1', name: 'Ravi', email: 'ravi@example.in', role: 'support' })),
    mock.get('/api/support/books/lock', () =>
      ok({ through: '2026-10-31', can_lock_through: '2026-10-31', history: [] }),
    ),
  );
  server.use(
    mock.get('/api/support/money', ({ request }) => {
      const kind = new URL(request.url).searchParams.get('kind') ?? '';
      asked.push(kind);
      return ok({ counts, rows: [held, dispute].filter((one) => !kind || one.kind === kind) });
    }),
  );
  const { user, container } = renderRoutes([{ path: '/', element: <MoneyPage /> }], { at: '/?kind=held' });
  const row = (await screen.findByRole('link', { name: 'Asha Sweets LLP' })).closest('li');
  expect(row).toHaveTextContent('₹14,749 came, ₹14,750 was due: ₹1 is missing');
  expect(within(row ?? container).getByRole('link', { name: 'FP1' })).toHaveAttribute('href', '/support/payments/FP1');
  await user.selectOptions(screen.getByLabelText('Show'), 'Open disputes (1)');
  const other = (await screen.findByRole('link', { name: '+91 98765 43210' })).closest('li');
  expect(other).toHaveTextContent('₹1,59,300 · answer by 1 Dec 2026');
  expect(other).toHaveTextContent('Ask finance to answer it at PayU, where it is 1795784.');
  expect(asked).toEqual(['held', 'dispute']);
  expect(screen.getByText(/^1 more was acknowledged and stays/)).toBeVisible();
  expect(await screen.findByRole('heading', { name: 'Books are locked up to 31 Oct 2026' })).toBeVisible();
  expect(await accessibilityFaults(container)).toEqual([]);
});

test('what is wrong leads to the payment, and the term ends on its last day', () => {
  const faults = [
    { level: 'bad' as const, text: 'It differs.', kind: 'settlement', payment: 'FP1' },
    { level: 'warn' as const, text: 'It waits.', kind: 'approval', payment: 'FP2' },
    { level: 'bad' as const, text: 'No SMS.', kind: 'code', payment: '' },
  ];
  renderRoutes(
    <>
      <CustomerHealth
        customer={{ ...customer, health: faults }}
        waits={{ known: true, open: 0, late: 0, requests: 0, overdue: 0 }}
      />
      <CustomerFacts customer={customer} now={0} />
    </>,
  );
  expect(screen.getAllByRole('link').map((one) => [one.textContent, one.getAttribute('href')])).toEqual([
    ['The payment', '/support/payments/FP1'],
    ['Settlements', '/support/settlements'],
    ['The payment', '/support/payments/FP2'],
    ['Approvals', '/support/approvals?state=waiting'],
    ['Show', '/?kind=code'],
    ['Statement of account and revenue', '/support/customers/c1/account'],
  ]);
  expect(screen.getByText('Ends').nextElementSibling).toHaveTextContent('22 Nov 2027');
});

test('a minus stands before the sign of the currency', () => {
  expect([-1_59_300_00, 0, -50, 14_750_00].map(rupees)).toEqual(['-₹1,59,300', '₹0', '-₹0.50', '₹14,750']);
});

test.each([
  ['support', true, 'Accept it with a discount, or ask finance to give it back, on'],
  ['support', false, 'Ask finance to give it back, on'],
  ['finance', true, 'Give it back, or ask support to accept it with a discount, on'],
  ['finance', false, 'Give it back, on'],
  ['admin', true, 'Accept it with a discount, or give it back, on'],
])('a held payment tells %s what that role can do (short: %s)', async (role, isShort, says) => {
  const row = isShort ? held : { ...held, amount_paise: held.due_paise + 1_00 };
  server.use(
    mock.get('/api/support/me', () => ok({ id: 's1', name: 'Sunita', email: 'sunita@example.in', role })),
    mock.get('/api/support/money', () => ok({ counts, rows: [row] })),
    mock.get('/api/support/books/lock', () => ok({ through: null, can_lock_through: '2026-10-31', history: [] })),
  );
  renderRoutes(<MoneyPage />);
  expect(
    await screen.findByText(new RegExp(`\\. ${says} the customer’s page; the customer can pay anew then`)),
  ).toBeVisible();
});

test.each([
  [{}, /Request it again on the customer’s page, or pay it by bank transfer and book that\.$/],
  [
    { owed: true },
    /PayU says: The account is closed\. Pay it by bank transfer and book that on the customer’s page\.$/,
  ],
  [{ gateway: 'bank' }, /(?<!says: .*)Pay it by bank transfer and book that on the customer’s page\.$/],
  [{ owed: true, requested: true }, /Staff are working on it: look at the approvals before anything else is paid\.$/],
])('a failed refund names the way that is left: %o', async (change, says) => {
  const failed: WaitingMoney = {
    ...held,
    kind: 'refund',
    reference: 'f1',
    failure: 'The account is closed.',
    ...change,
  };
  server.use(
    mock.get('/api/support/me', () => ok({ id: 's1', name: 'Sunita', email: 'sunita@example.in', role: 'admin' })),
    mock.get('/api/support/money', () => ok({ counts: { ...counts, failed_refunds: 1 }, rows: [failed] })),
    mock.get('/api/support/books/lock', () => ok({ through: null, can_lock_through: '2026-10-31', history: [] })),
  );
  renderRoutes(<MoneyPage />);
  expect((await screen.findByText(/^Since/)).textContent).toMatch(says);
});
