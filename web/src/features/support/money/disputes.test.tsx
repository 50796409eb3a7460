import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { keeping, mock, ok, server } from '@/testing/server';
import { admin, trail } from './money-desk.fixture';
import { TrailPage } from './trail-page';

test.each([
  [
    'It was won: the money stays ours',
    'Close as won',
    '/api/support/disputes/x1/close',
    { customer_id: 'c1', outcome: 'won', reason: 'Read there' },
  ],
  [
    'The gateway knows of no such dispute',
    'Dismiss it',
    '/api/support/disputes/x1/close',
    { customer_id: 'c1', outcome: 'dismissed', reason: 'Read there' },
  ],
  [
    'It was lost: the bank keeps the money',
    'Book the loss',
    '/api/support/reversals',
    { customer_id: 'c1', payment_id: 'p1', kind: 'chargeback', dispute_id: 'D1', amount: 100, reason: 'Read there' },
  ],
] as const)('an admin says how a dispute ended: %s', async (says, button, path, sent) => {
  const bodies: unknown[] = [];
  server.use(
    mock.get('/api/support/me', () => ok(admin)),
    mock.get('/api/support/payments/FP1/trail', () => ok(trail)),
    mock.post(path, keeping(bodies, {}, 'It is told what follows.')),
  );
  const { user, container } = renderRoutes([{ path: '/:payment', element: <TrailPage /> }], { at: '/FP1' });
  await user.click(await screen.findByRole('button', { name: 'Say how it ended' }));
  const dialog = await screen.findByRole('dialog', { name: 'How did dispute D1 end?' });
  await user.type(within(dialog).getByLabelText('Reason'), 'Read there');
  await user.click(within(dialog).getByRole('button', { name: 'Close the dispute' }));
  expect(await within(dialog).findByText(/^Choose what .* shows\.$/)).toBeVisible();
  expect(within(dialog).queryByRole('radio', { checked: true })).toBeNull();
  await user.click(within(dialog).getByRole('radio', { name: says }));
  expect(await accessibilityFaults(container)).toEqual([]);
  await user.click(within(dialog).getByRole('button', { name: button }));
  await waitFor(() => expect(bodies).toEqual([sent]));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(await screen.findByText('It is told what follows.')).toBeVisible();
});

test.each([
  ['waiting', 'Ravi asked for the loss to be booked. A second admin has to approve it.'],
  ['approved', 'The loss is being booked.'],
])('a loss that is asked for is not asked for again: %s', async (state, says) => {
  const asked = { ...trail, requests: [{ ...trail.requests[0], kind: 'chargeback', dispute_id: 'D1', state }] };
  server.use(
    mock.get('/api/support/me', () => ok(admin)),
    mock.get('/api/support/payments/FP1/trail', () => ok(asked)),
  );
  renderRoutes([{ path: '/:payment', element: <TrailPage /> }], { at: '/FP1' });
  expect(await screen.findByRole('region', { name: 'Disputes' })).toHaveTextContent(says);
  expect(screen.queryByRole('button', { name: 'Say how it ended' })).toBeNull();
});

test('each attempt to book a loss has its own key, so that a declined attempt can be repeated', async () => {
  const keys: (string | null)[] = [];
  server.use(
    mock.get('/api/support/me', () => ok(admin)),
    mock.get('/api/support/payments/FP1/trail', () => ok(trail)),
    mock.post('/api/support/reversals', ({ request }) => {
      keys.push(request.headers.get('Idempotency-Key'));
      return ok({});
    }),
  );
  const { user } = renderRoutes([{ path: '/:payment', element: <TrailPage /> }], { at: '/FP1' });
  for (const tries of [1, 2]) {
    await user.click(await screen.findByRole('button', { name: 'Say how it ended' }));
    const dialog = await screen.findByRole('dialog', { name: 'How did dispute D1 end?' });
    await user.click(within(dialog).getByRole('radio', { name: 'It was lost: the bank keeps the money' }));
    await user.type(within(dialog).getByLabelText('Reason'), 'Read there');
    await user.dblClick(within(dialog).getByRole('button', { name: 'Book the loss' }));
    await waitFor(() => expect(keys).toHaveLength(tries));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  }
  expect(new Set(keys).size).toBe(2);
});
