import { screen } from '@testing-library/react';
import { http } from 'msw';
import { expect, test } from 'vitest';
import { renderRoutes } from '@/testing/render';
import { server } from '@/testing/server';
import { admin, ok, trail } from './money-desk.fixture';
import { TrailPage } from './trail-page';

const failed = {
  ...trail.captures[0],
  failed: true,
};
const release = { ...trail.requests[0], state: 'done' as const };
const transfer = { ...release, kind: 'bank_transfer' as const };
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
      http.get('*/api/support/me', () => ok(admin)),
      http.get('*/api/support/payments/FP1/trail', () =>
        ok({ ...trail, captures, requests, owed_paise: owed, payment: { ...trail.payment, state, surplus: true } }),
      ),
    );
    renderRoutes([{ path: '/:payment', element: <TrailPage /> }], { at: '/FP1' });
    expect((await screen.findByText('Why')).nextElementSibling).toHaveTextContent(says);
  },
);

test('a lost dispute was taken back by the bank, not given back through the gateway', async () => {
  const lost = { ...trail.refunds[0], reason: 'dispute', state: 'done', note: '', failure: '' };
  server.use(
    http.get('*/api/support/me', () => ok(admin)),
    http.get('*/api/support/payments/FP1/trail', () => ok({ ...trail, refunds: [lost] })),
  );
  renderRoutes([{ path: '/:payment', element: <TrailPage /> }], { at: '/FP1' });
  const refunds = await screen.findByRole('region', { name: 'Refunds' });
  expect(refunds).toHaveTextContent('₹500 taken back by the bank');
  expect(refunds).not.toHaveTextContent(/through the gateway/);
});
