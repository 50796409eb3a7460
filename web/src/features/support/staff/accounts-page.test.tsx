import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { mock, ok, refused, server } from '@/testing/server';
import type { BookFiles, CustomerAccount, DeferredRevenue, ProfitAndLoss, TrialBalance } from '../api/accounts';
import { AccountsPage } from './accounts-page';
import { CustomerAccountPage } from '../customers/customer-account-page';
const deferred: DeferredRevenue = {
  through: '2026-11-24',
  months: [
    {
      month: '2026-11',
      opening_paise: 0,
      billed_paise: 1000_00,
      recognised_paise: 100_00,
      credited_paise: 50_00,
      closing_paise: 850_00,
      ledger_paise: 850_00,
      differs: false,
    },
  ],
  waterfall: [
    { month: '2026-11', amount_paise: 250_00 },
    { month: '2026-12', amount_paise: 400_00 },
  ],
  later_paise: 200_00,
};
const trial: TrialBalance = {
  on: '2026-11-24',
  accounts: [
    { account: 'bank', name: 'Bank', type: 'asset', debit_paise: 1180_00, credit_paise: 0 },
    { account: 'deferred_revenue', name: 'Deferred revenue', type: 'liability', debit_paise: 0, credit_paise: 1180_00 },
  ],
  debit_paise: 1180_00,
  credit_paise: 1180_00,
};
const profit: ProfitAndLoss = {
  months: ['2026-10', '2026-11'],
  rows: [
    { account: 'revenue', name: 'Subscription revenue', type: 'income', months_paise: [0, 100_00] },
    { account: 'fees', name: 'Payment gateway fees', type: 'expense', months_paise: [5_00, 20_00] },
  ],
  income_paise: [0, 100_00],
  expenses_paise: [5_00, 20_00],
  result_paise: [-5_00, 80_00],
  unsettled: [
    { captured_paise: 0, fees_estimate_paise: null },
    { captured_paise: 1180_00, fees_estimate_paise: 23_60 },
  ],
};

const files: BookFiles = {
  month: '2026-10',
  over: true,
  entries: 1,
  debit_paise: 1180_00,
  invoices: 2,
  credit_notes: 0,
  new_customers: 1,
  files: ['tally_ledgers', 'tally_customers', 'tally_vouchers', 'zoho_invoices', 'zoho_credit_notes'],
  problems: [],
};

function accounts(shown: DeferredRevenue = deferred, books: BookFiles = files, role = 'finance') {
  const asked: string[] = [];
  const noted = <Data,>(request: Request, data: Data) => {
    asked.push(new URL(request.url).search);
    return ok(data);
  };
  server.use(
    mock.get('/api/support/books/deferred-revenue', () => ok(shown)),
    mock.get('/api/support/books/trial-balance', ({ request }) => noted(request, trial)),
    mock.get('/api/support/books/profit-and-loss', ({ request }) => noted(request, profit)),
    mock.get('/api/support/me', () => ok({ id: 's1', name: 'Farida', email: 'farida@example.in', role })),
    mock.get('/api/support/gst-returns', () => ok(['2026-11', '2026-10'])),
    mock.get('/api/support/books/files/{month}', ({ params }) => ok({ ...books, month: String(params.month) })),
  );
  const view = renderRoutes([{ path: '/', Component: AccountsPage }]);
  return { asked, ...view };
}

const table = async (name: string) => within(await screen.findByRole('table', { name }));

test('the roll-forward includes the ledger balance, and the waterfall shows the remainder after each month', async () => {
  const { container } = accounts();
  expect((await table('Deferred revenue by month')).getAllByRole('row')[1]).toHaveTextContent(
    'November 2026₹0₹1,000₹100₹50₹850₹850',
  );
  expect((await table('Revenue ahead by month')).getAllByRole('row')[2]).toHaveTextContent('December 2026₹400₹200');
  expect((await table('Income and expenses')).getByRole('row', { name: /^Result/ })).toHaveTextContent('₹75');
  expect((await table('Balances of accounts')).getByRole('row', { name: /^Total/ })).toHaveTextContent(
    'Total₹1,180₹1,180',
  );
  expect(screen.getByText(/had not settled ₹1,180 at the end of November 2026/)).toHaveTextContent(
    'an estimated ₹23.60 before GST, at the rate of recent settlements.',
  );
  expect(await accessibilityFaults(container)).toEqual([]);
});

test('a month that differs from the ledger is said', async () => {
  accounts({ ...deferred, months: [{ ...deferred.months[0]!, ledger_paise: 1_00, differs: true }] });
  expect(await screen.findByText(/The schedule differs from the ledger/)).toBeInTheDocument();
  expect(await screen.findByText('₹1, differs')).toBeInTheDocument();
});

test('shows that nothing is booked yet', async () => {
  accounts({ through: null, months: [], waterfall: [], later_paise: 0 });
  expect(await screen.findByText(/Nothing is booked yet/)).toBeInTheDocument();
});

test('loads the accounts of another day', async () => {
  const { asked } = accounts();
  const day = await screen.findByLabelText('At the end of');
  fireEvent.change(day, { target: { value: '2026-10-31' } });
  await waitFor(() => expect(asked).toContain('?on=2026-10-31'));
});

test('finance takes last month’s files out, and another month is chosen', async () => {
  const { user } = accounts();
  expect(
    await screen.findByText(
      /^October 2026: 1 entry of ₹1,180, 2 invoices, 0 credit notes, 1 new customer\. Everything agrees/,
    ),
  ).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Tally: vouchers' })).toHaveAttribute(
    'href',
    '/api/support/books/files/2026-10/tally_vouchers',
  );
  await user.selectOptions(screen.getByLabelText('Month'), 'November 2026');
  expect(await screen.findByText(/^November 2026: /)).toBeInTheDocument();
});

test.each([
  ['a month that runs', { ...files, over: false }, 'finance', /when the month is over/],
  [
    'what differs',
    { ...files, problems: ['Bank moves by another amount than its entries'] },
    'finance',
    /would differ/,
  ],
  ['support', files, 'support', /Everything agrees/],
])('%s: no file is offered', async (_, books, role, says) => {
  accounts(deferred, books, role);
  expect(await screen.findByText(says)).toBeInTheDocument();
  expect(screen.queryByRole('link', { name: /Tally|Zoho/ })).toBeNull();
});

const account: CustomerAccount = {
  from: '2025-11-25',
  to: '2026-11-25',
  opening_paise: 0,
  closing_paise: -10_00,
  lines: [
    {
      at: '2026-11-21T05:30:00Z',
      kind: 'sale',
      description: 'Invoice F/26-27/000007',
      charge_paise: 1180_00,
      credit_paise: 0,
      balance_paise: 1180_00,
    },
  ],
  through: '2026-11-24',
  schedule: [
    {
      invoice_id: 'i1',
      number: 'F/26-27/000007',
      position: 1,
      description: 'Start up · Expansion',
      from: '2026-11-21',
      until: '2027-11-20',
      amount_paise: 1000_00,
      earned_paise: 100_00,
      credited_paise: 0,
      unearned_paise: 900_00,
    },
  ],
};

test.each([
  ['finance', true],
  ['support', false],
])('a statement is read by %s, and taken out by finance and admins', async (role, takes) => {
  server.use(
    mock.get('/api/support/me', () => ok({ id: 's1', name: 'Sunita', email: 'sunita@example.in', role })),
    mock.get('/api/support/customers/c1/account', () => ok(account)),
  );
  const { container } = renderRoutes([{ path: '/c/:id', Component: CustomerAccountPage }], { at: '/c/c1' });
  expect(await screen.findByText(/₹10 owed to the customer/)).toBeInTheDocument();
  expect((await table('Revenue by invoice line')).getAllByRole('row')[1]).toHaveTextContent('₹1,000₹100₹0₹900');
  if (takes)
    expect(await screen.findByRole('link', { name: 'Download CSV' })).toHaveAttribute(
      'href',
      '/api/support/customers/c1/account/file?from=2025-11-25&to=2026-11-25&format=csv',
    );
  else expect(screen.queryByRole('link', { name: 'Download CSV' })).not.toBeInTheDocument();
  expect(await accessibilityFaults(container)).toEqual([]);
});

test('an unknown customer has no statement, and no days to choose', async () => {
  server.use(
    mock.get('/api/support/me', () => ok({ id: 's1', name: 'Sunita', email: 'sunita@example.in', role: 'support' })),
    mock.get('/api/support/customers/c1/account', () => refused(404, { code: 'not_found', message: 'Not found.' })),
  );
  renderRoutes([{ path: '/c/:id', Component: CustomerAccountPage }], { at: '/c/c1' });
  expect(await screen.findByRole('heading', { name: 'There is no such customer' })).toBeVisible();
  expect(screen.queryByLabelText('From')).not.toBeInTheDocument();
});
