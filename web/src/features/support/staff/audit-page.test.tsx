import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { mock, ok, server } from '@/testing/server';
import type { AuditRecord } from '../api/help';
import { AuditPage } from './audit-page';
import { actionNames } from '../shared/action-words';
const hash = 'ab'.repeat(32);
const record = (sequence: number, change: Partial<AuditRecord>): AuditRecord => ({
  sequence,
  id: `a${sequence}`,
  at: '2026-11-21T05:30:00Z',
  staff_id: 's1',
  staff_name: 'Sunita',
  action: 'unlock',
  target: 'customer:c1',
  subject: '',
  customer_id: null,
  customer_name: '',
  reason: 'Because',
  before: '',
  after: '',
  request_id: '',
  previous: hash,
  hash,
  ...change,
});

function open(records: AuditRecord[]) {
  const asked: (string | null)[] = [];
  server.use(
    mock.get('/api/support/saved-views', () => ok({ views: [] })),
    mock.get('/api/support/me', () => ok({ id: 's1', name: 'Sunita', email: 'sunita@example.in', role: 'admin' })),
    mock.get('/api/support/audit', ({ request }) => {
      asked.push(new URL(request.url).searchParams.get('action'));
      return ok({ records, next: null, staff: [], check: null });
    }),
  );
  return { ...renderRoutes([{ path: '/', element: <AuditPage /> }], { at: '/?action=unheard_of' }), asked };
}

test('each row names what was done, to what and for whom, once', async () => {
  const customer = { customer_id: 'c1', customer_name: 'Asha Sweets LLP' };
  const { container } = open([
    record(11, { action: 'open_customer', reason: 'Opened the customer\u0027s page', ...customer }),
    record(10, {
      action: 'request_refund',
      target: 'payment:p1',
      subject: 'FP1',
      reason: 'Bought by mistake',
      ...customer,
    }),
    record(9, { action: 'sign_in', target: 'staff:s1', reason: 'Signed in from 192.0.2.1' }),
    record(8, {
      action: 'lock_books',
      target: 'books',
      after: '{"locked_through":"2026-10-31"}',
      reason: 'The month is closed',
    }),
    record(7, { action: 'unlock_books', target: 'books', after: '{"locked_through":null}', reason: 'Too early' }),
    record(6, { action: 'acknowledge_difference', target: 'settlements:payu/2026-11-20', reason: 'Settled by hand' }),
    record(5, { action: 'rerun_job', target: 'job:8123', reason: 'It is back' }),
    record(4, { action: 'read_list', target: 'list:credit notes', reason: 'Read the list of credit notes' }),
    record(3, { action: 'unlock', target: 'mobile:98••••10', reason: 'Locked out' }),
    record(2, { action: 'compare_settlements', target: 'settlements:razorpay', reason: 'Corrected' }),
    record(14, {
      action: 'approve_bank_transfer',
      target: 'payment:p1',
      subject: 'FP1',
      after: '{"reversal":"r1","state":"approved","amount_paise":75000,"bank_reference":"HDFCN52026112112345678"}',
      reason: 'Seen on the statement',
      ...customer,
    }),
    record(13, { action: 'read_list', target: 'list:reversals', reason: 'Read the list of reversals' }),
    record(12, { action: 'read_list', target: 'list:money', reason: 'Read the list of money' }),
    record(1, { action: 'search', target: 'search:0011223344556677', reason: 'Searched for customers' }),
  ]);
  const rows = await within(await screen.findByRole('list', { name: 'Records' })).findAllByRole('listitem');
  expect(rows.map((row) => row.querySelector('.entry-title')?.textContent)).toEqual([
    'Opened the page · Asha Sweets LLP, Sunita',
    'Asked for a refund · FP1 · Asha Sweets LLP, Sunita: Bought by mistake',
    'Signed in, Sunita: from 192.0.2.1',
    'Locked the books · locked up to 31 Oct 2026, Sunita: The month is closed',
    'Opened locked books · nothing is locked, Sunita: Too early',
    'Acknowledged a difference · PayU, 20 Nov 2026, Sunita: Settled by hand',
    'Reran jobs · job 8123, Sunita: It is back',
    'Read a list · credit notes, Sunita',
    'Unlocked the sign-in · 98••••10, Sunita: Locked out',
    'Had settlements compared · Razorpay, Sunita: Corrected',
    'Approved the booking of a bank transfer · FP1 · ₹750 · UTR HDFCN52026112112345678 · Asha Sweets LLP, Sunita: Seen on the statement',
    'Read a list · requests for money to go back, Sunita',
    'Read a list · money that waits, Sunita',
    'Searched for customers, Sunita',
  ]);
  expect(await accessibilityFaults(container)).toEqual([]);
});

test('the filter offers every kind under a unique name, and requests only the chosen kind', async () => {
  const { user, asked } = open([]);
  const offered = (await screen.findByLabelText('What')).querySelectorAll('option');
  expect(Array.from(offered, (one) => one.value)).toEqual(['', ...actionNames.map(([kind]) => kind)]);
  expect(new Set(Array.from(offered, (one) => one.textContent)).size).toBe(offered.length);
  for (const name of [
    'Locked the books',
    'Recorded an input tax credit',
    'Acknowledged a difference',
    'Closed a dispute',
  ])
    expect(screen.getByRole('option', { name })).toBeInTheDocument();
  expect(await screen.findByText('No records match these filters.')).toBeVisible();
  await user.selectOptions(screen.getByLabelText('What'), 'Locked the books');
  await screen.findByText('No records match these filters.');
  expect(asked).toEqual([null, 'lock_books']);
});
