import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderRoutes } from '@/testing/render';
import { keeping, mock, ok, server } from '@/testing/server';
import { admin, trail } from './money-desk.fixture';
import { TrailPage } from './trail-page';

const failed = {
  ...trail.captures[0],
  failed: true,
};
const release = { ...trail.requests[0], state: 'done' as const };
const transfer = { ...release, id: 'r2', kind: 'bank_transfer' as const };
const gap = '₹14,750 was due and ₹14,749 came: ₹1 is missing. ';
test.each([
  [
    'held',
    [failed],
    [release],
    14_749_00,
    gap + 'Staff released it, but its refund failed: pay it by bank transfer and book that.',
  ],
  [
    'held',
    [failed],
    [release, { ...transfer, state: 'waiting' as const }],
    14_749_00,
    gap + 'Staff released it, but its refund failed. A second admin has to approve the bank transfer that pays it.',
  ],
  [
    'held',
    [{ ...failed, failed: false, going_paise: 14_749_00 }],
    [release],
    0,
    gap + 'Staff released it, and it is on its way back.',
  ],
  [
    'refunded',
    [{ ...failed, failed: false, back_paise: 14_749_00 }],
    [release, transfer],
    0,
    gap + 'Staff released it, and it is back.',
  ],
  [
    'paid',
    [failed],
    [],
    14_749_00,
    'It was captured with nothing to give for it, but its refund failed: pay it by bank transfer and book that.',
  ],
  [
    'refunded',
    [{ ...failed, back_paise: 14_749_00 }],
    [transfer],
    0,
    'It was captured with nothing to give for it, and it is back.',
  ],
  [
    'paid',
    [{ ...failed, failed: false }],
    [],
    0,
    'It was captured with nothing to give for it, and it is on its way back.',
  ],
] as const)(
  'the trail of money with nothing to give for it says where it is: %s',
  async (state, captures, requests, owed, says) => {
    server.use(
      mock.get('/api/support/me', () => ok(admin)),
      mock.get('/api/support/payments/FP1/trail', () =>
        ok({ ...trail, captures, requests, owed_paise: owed, payment: { ...trail.payment, state, surplus: true } }),
      ),
    );
    renderRoutes([{ path: '/:payment', element: <TrailPage /> }], { at: '/FP1' });
    expect((await screen.findByText('Why')).nextElementSibling).toHaveTextContent(says);
  },
);

const customer = {
  id: 'c1',
  name: 'Asha Kulkarni',
  legal_name: 'Asha Sweets LLP',
  mobile: '9876543210',
  erased: false,
};

function openHeld(change: object, role = 'admin') {
  const asked: unknown[] = [];
  server.use(
    mock.get('/api/support/me', () => ok({ ...admin, role })),
    mock.get('/api/support/customers/c1', () => ok({ ...customer, open_requests: [] })),
    mock.get('/api/support/payments/{payment}/trail', () => ok({ ...trail, requests: [], ...change })),
    mock.post('/api/support/reversals', keeping(asked, {}, 'It is on its way back.')),
  );
  return { asked, ...renderRoutes([{ path: '/:payment', element: <TrailPage /> }], { at: '/FP1' }) };
}

test('an admin gives a held payment back on its page', async () => {
  const { user, asked } = openHeld({});
  await user.click(await screen.findByRole('button', { name: 'Give it back' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Give ₹14,749 back to Asha Sweets LLP' }));
  await user.type(await dialog.findByLabelText('Reason'), 'It is short');
  await user.click(dialog.getByRole('button', { name: 'Give ₹14,749 back' }));
  expect(await screen.findByText('It is on its way back.')).toBeVisible();
  expect(asked).toEqual([{ customer_id: 'c1', payment_id: 'p1', kind: 'release', reason: 'It is short' }]);
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
});

test.each([
  ['was asked for', {}, [{ ...release, state: 'waiting' }], 'admin'],
  ['is on its way', { surplus: true }, [release], 'admin'],
  ['is nothing of theirs', {}, [], 'support'],
  ['is not held', { state: 'paid' }, [], 'admin'],
] as const)('a payment is not given back on its page where that %s', async (_, payment, requests, role) => {
  openHeld({ requests, payment: { ...trail.payment, ...payment } }, role);
  expect(await screen.findByRole('heading', { level: 1, name: 'FP1' })).toBeVisible();
  expect(await screen.findByRole('region', { name: 'Refunds' })).toBeVisible();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(screen.queryByRole('button', { name: 'Give it back' })).not.toBeInTheDocument();
});

test.each([
  ['paid', 'admin', ['Refund or credit note']],
  ['paid', 'support', []],
  ['failed', 'support', ['Ask the gateway']],
  ['failed', 'auditor', []],
] as const)('a payment that is %s offers its acts to %s', async (state, role, acts) => {
  openHeld({ owed_paise: 0, payment: { ...trail.payment, state, surplus: false } }, role);
  await screen.findByRole('heading', { level: 1, name: 'FP1' });
  await waitFor(() =>
    expect(
      screen.queryAllByRole('button', { name: /^(Refund|Ask|Book)/ }).map(({ textContent }) => textContent),
    ).toEqual(acts),
  );
});

test('a failed payment is asked about on its page, for a reason', async () => {
  const { user } = openHeld({ owed_paise: 0, payment: { ...trail.payment, state: 'failed' } }, 'support');
  const asked: unknown[] = [];
  server.use(
    mock.post(
      '/api/support/customers/c1/payments/p1/ask',
      keeping(asked, { message: 'The gateway is being asked.', job_id: 8 }),
    ),
  );
  await user.click(await screen.findByRole('button', { name: 'Ask the gateway' }));
  await user.type(await screen.findByLabelText('Reason'), 'The bank charged it{Enter}');
  await waitFor(() => expect(asked).toEqual([{ reason: 'The bank charged it' }]));
});

test('a lost dispute was taken back by the bank, not given back through the gateway', async () => {
  const lost = { ...trail.refunds[0], reason: 'dispute', state: 'done', note: '', failure: '' };
  server.use(
    mock.get('/api/support/me', () => ok(admin)),
    mock.get('/api/support/payments/FP1/trail', () => ok({ ...trail, refunds: [lost] })),
  );
  renderRoutes([{ path: '/:payment', element: <TrailPage /> }], { at: '/FP1' });
  const refunds = await screen.findByRole('region', { name: 'Refunds' });
  expect(refunds).toHaveTextContent('₹500 taken back by the bank');
  expect(refunds).not.toHaveTextContent(/through the gateway/);
});

test('the trail of a bill paid less TDS shows the amounts received and deducted', async () => {
  const captures = [{ ...trail.captures[0], amount_paise: 1_59_300_00 }];
  server.use(
    mock.get('/api/support/me', () => ok(admin)),
    mock.get('/api/support/payments/FP1/trail', () => ok({ ...trail, captures, deducted_paise: 13_500_00 })),
  );
  renderRoutes([{ path: '/:payment', element: <TrailPage /> }], { at: '/FP1' });
  const facts = await screen.findByRole('region', { name: 'The payment' });
  expect(within(facts).getByText('Came').nextElementSibling).toHaveTextContent('₹1,45,800');
  expect(within(facts).getByText('Deducted as TDS').nextElementSibling).toHaveTextContent('₹13,500');
});
