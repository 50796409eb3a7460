import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { mock, ok, server } from '@/testing/server';
import type { Board } from '../api/jobs';
import { at, routes, world } from './jobs.fixture';
import { anAlert } from '../alerts/watch.fixture';

const board: Board = {
  queues: [
    {
      name: 'otp',
      depth: 2,
      oldest_age: 45,
      running: 1,
      capacity: 20,
      failed: 3,
      completed: 97,
      failed_attempts: 3,
      paused_at: null,
      ages_after: 30,
    },
  ],
  running: [
    {
      id: 5,
      kind: 'send_otp',
      queue: 'otp',
      attempt: 1,
      max_attempts: 8,
      age: 400,
      customer_id: '',
      worker: 'w',
      overdue: true,
    },
  ],
  workers: [{ id: 'w', started_at: at, seen_at: at, running: 1, capacity: 42 }],
  schedules: [
    {
      kind: 'sweep_payments',
      queue: 'payments',
      every_seconds: 3600,
      last_run_at: at,
      last_state: 'completed',
      next_run_at: new Date(Date.now() + 5.2 * 3600_000).toISOString(),
    },
    {
      kind: 'verify_books',
      queue: 'default',
      every_seconds: 86_400,
      last_run_at: null,
      last_state: '',
      next_run_at: at,
    },
  ],
};

test('queues say how they stand; admins pause them with a reason, others cannot', async () => {
  const { sent } = world({ role: 'admin' });
  server.use(
    mock.get('/api/support/queues', () => ok(board)),
    mock.get('/api/support/alerts', () => ok({ alerts: [anAlert] })),
    mock.post('/api/support/queues/otp/pause', async ({ request }) => {
      sent.push({ path: 'pause', body: await request.json(), key: null });
      return ok(null);
    }),
  );
  const { user, container } = renderRoutes(routes, { at: '/support/queues' });
  const otp = await screen.findByRole('listitem', { name: 'Queue otp' });
  expect(otp).toHaveTextContent('Too slow');
  expect(otp).toHaveTextContent('3.0%');
  expect(screen.getByText('7 min, stuck')).toBeVisible();
  expect(screen.getByRole('row', { name: /^Find forgotten payments .* in 5 h/ })).toBeVisible();
  expect(screen.getByRole('row', { name: /^Check the books .* Never .* Due .+$/ })).toBeVisible();
  expect(await screen.findByRole('link', { name: 'The first of 2 jobs has waited.' })).toHaveAttribute(
    'href',
    '/support/queues',
  );
  expect(await accessibilityFaults(container)).toEqual([]);
  await user.click(within(otp).getByRole('button', { name: 'Pause otp' }));
  await user.type(await screen.findByLabelText('Reason'), 'Provider away{Enter}');
  await waitFor(() => expect(sent).toMatchObject([{ path: 'pause', body: { reason: 'Provider away' } }]));
});

test('support sees the queues without the means to stop them', async () => {
  world();
  server.use(mock.get('/api/support/queues', () => ok(board)));
  renderRoutes(routes, { at: '/support/queues' });
  await screen.findByRole('listitem', { name: 'Queue otp' });
  expect(screen.queryByRole('button', { name: /Pause/ })).toBeNull();
});

test('an admin runs a scheduled job now, with a reason', async () => {
  const { sent } = world({ role: 'admin' });
  server.use(mock.get('/api/support/queues', () => ok(board)));
  const { user } = renderRoutes(routes, { at: '/support/queues' });
  const [run] = await screen.findAllByRole('button', { name: /^Run now/ });
  if (run) await user.click(run);
  await user.type(await screen.findByLabelText('Reason'), 'A customer waits{Enter}');
  await waitFor(() =>
    expect(sent).toMatchObject([{ path: '/schedules/sweep_payments/run', body: { reason: 'A customer waits' } }]),
  );
  expect(await screen.findByText('Job 77 starts as soon as a worker is free.')).toBeVisible();
});
