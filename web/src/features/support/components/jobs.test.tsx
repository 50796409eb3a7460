import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { server } from '@/testing/server';
import type { Board, FailedJob, Job } from '../api/jobs';
import { ConsoleFrame } from './console-frame';
import { JobsPage } from './jobs-page';
import { QueuesPage } from './queues-page';

const customerId = '019ae0c2-9f00-7a11-8f00-4b1d2c3e4f50';
const at = '2026-11-21T05:30:00Z';
const evil = '<img src=x onerror=alert(1)>gateway away';
const routes = [
  {
    element: <ConsoleFrame />,
    children: [
      { path: 'support/jobs', element: <JobsPage /> },
      { path: 'support/queues', element: <QueuesPage /> },
      { path: 'support/customers/:id', element: <h1>Asha</h1> },
    ],
  },
];
const ok = (data: object | null) => HttpResponse.json({ status: true, message: '', data });

const failed = (id: number): FailedJob => ({
  id,
  kind: 'verify_payment',
  queue: 'payments',
  state: 'discarded',
  attempt: 3,
  max_attempts: 3,
  failed_at: at,
  scheduled_at: at,
  customer_id: customerId,
  last_error: evil,
});
const whole = (id: number): Job => ({
  ...failed(id),
  created_at: at,
  attempted_at: at,
  finalized_at: at,
  payment_id: customerId,
  request_id: '019ae0c2-9ef0-7c3a-9d51-6b2f80c41e77',
  args: { payment_id: customerId },
  errors: [{ at, attempt: 3, error: evil }],
  can_rerun: true,
  can_cancel: false,
  can_dismiss: true,
  kept: false,
  effect: {
    summary: 'Would ask the gateway about txn T1: payment is now `pending`.',
    nothing: false,
    again: 'It only asks.',
  },
});
const operation = {
  id: customerId,
  staff_name: 'Sunita',
  action: 'rerun',
  reason: 'Mended',
  total: 2,
  done: 1,
  refused: 1,
  created_at: at,
  finished_at: at,
};
const jobs = (n: number) => Array.from({ length: n }, (_, index) => failed(n - index));

interface Sent {
  path: string;
  body: unknown;
  key: string | null;
}

function world({ n = 3, role = 'support', newer = () => 0 }: { n?: number; role?: string; newer?: () => number } = {}) {
  const sent: Sent[] = [];
  const asked: URL[] = [];
  const note = async (request: Request) => {
    sent.push({
      path: new URL(request.url).pathname.replace('/api/support', ''),
      body: await request.json(),
      key: request.headers.get('Idempotency-Key'),
    });
  };
  server.use(
    http.get('*/api/support/me', () => ok({ id: customerId, name: 'Sunita', email: 'sunita@example.in', role })),
    http.get('*/api/support/alerts', () => ok({ alerts: [] })),
    http.get('*/api/support/jobs', ({ request }) => {
      const url = new URL(request.url);
      asked.push(url);
      const begin = Number(url.searchParams.get('after') ?? 0);
      const end = begin + 200;
      return ok({ jobs: jobs(n).slice(begin, end), first: n ? '1-1' : '', next: end < n ? String(end) : '' });
    }),
    http.get('*/api/support/jobs/summary', () =>
      ok({
        total: n + newer(),
        newer: newer(),
        groups: n ? [{ kind: 'verify_payment', cause: evil, key: 'abc', count: n, latest_at: at }] : [],
        facets: [{ kind: 'verify_payment', queue: 'payments', count: n }],
        bars: [{ from: at, count: n }],
        step_seconds: 60,
      }),
    ),
    http.get('*/api/support/jobs/operations', () => ok({ operations: [operation] })),
    http.get('*/api/support/jobs/:id', ({ params }) => ok(whole(Number(params.id)))),
    http.post('*/api/support/jobs/operations', async ({ request }) => {
      await note(request);
      return ok({ id: customerId, total: 2 });
    }),
    http.get('*/api/support/jobs/operations/:id', () =>
      ok({
        operation,
        results: [
          { id: 2, done: false, message: 'Job 9 does the same and is on its way already.' },
          { id: 3, done: true, message: '' },
        ],
      }),
    ),
    http.post('*/api/support/jobs/:action', async ({ request }) => {
      await note(request);
      return ok({ results: [{ id: 3, done: true, message: '' }] });
    }),
  );
  return { sent, asked };
}

const rows = async () => within(await screen.findByRole('table', { name: /^Failed jobs/ })).getAllByRole('row');

test('one job is rerun with four keys, after its effect was shown, and what is in an error is text', async () => {
  const { sent } = world();
  const { user, container } = renderRoutes(routes, { at: '/support/jobs' });
  const [, first] = await rows();
  expect(first).toHaveTextContent(evil);
  expect(container.querySelector('img')).toBeNull();
  first?.focus();
  await user.keyboard('r');
  expect(await screen.findByText('Would ask the gateway about txn T1: payment is now `pending`.')).toBeVisible();
  expect(screen.getByLabelText('Reason')).toHaveFocus();
  await user.keyboard('   {Enter}');
  expect(await screen.findByRole('alert')).toHaveTextContent('Please say why');
  expect(sent).toEqual([]);
  await user.keyboard('{ArrowDown}{Enter}');
  await waitFor(() =>
    expect(sent).toMatchObject([{ path: '/jobs/rerun', body: { ids: [3], reason: 'The cause is mended' } }]),
  );
  expect(sent[0]?.key).toMatch(/^[\w-]{8,}$/);
  expect(await screen.findByText('Job 3 will run again.')).toBeVisible();
});

test('a selection is changed in the background, and each job left alone says why', async () => {
  const { sent } = world();
  const { user, container } = renderRoutes(routes, { at: '/support/jobs' });
  const [, first] = await rows();
  first?.focus();
  await user.keyboard('xjx');
  expect(screen.getByRole('region', { name: 'Chosen jobs' })).toHaveTextContent('2 chosen');
  expect(await accessibilityFaults(container)).toEqual([]);
  await user.keyboard('r');
  await user.type(await screen.findByLabelText('Reason'), 'Mended{Enter}');
  await waitFor(() =>
    expect(sent).toMatchObject([
      { path: '/jobs/operations', body: { action: 'rerun', ids: [3, 2], reason: 'Mended' } },
    ]),
  );
  const progress = await screen.findByRole('region', { name: 'Progress' });
  expect(progress).toHaveTextContent('1 of 2 jobs will run again. 1 left alone.');
  expect(within(progress).getByText('Job 9 does the same and is on its way already.')).toBeVisible();
  expect(await accessibilityFaults(container)).toEqual([]);
});

test('whoever left the page finds a change of many jobs again', async () => {
  world();
  const { user } = renderRoutes(routes, { at: '/support/jobs' });
  await user.click(await screen.findByText('Changes of many jobs'));
  await user.click(screen.getByRole('button', { name: '1 of 2 jobs will run again' }));
  expect(await screen.findByRole('region', { name: 'Progress' })).toHaveTextContent(
    '1 of 2 jobs will run again. 1 left alone.',
  );
});

test('a job that is done says why it is not run again', async () => {
  world();
  server.use(http.get('*/api/support/jobs/2', () => ok({ ...whole(2), state: 'completed', can_rerun: false })));
  renderRoutes(routes, { at: '/support/jobs?job=2' });
  const dialog = await screen.findByRole('dialog', { name: 'Job 2: Ask about a payment' });
  expect(within(dialog).getByText('It is done, so that it is not run again.')).toBeVisible();
  expect(within(dialog).queryByRole('button', { name: /Rerun/ })).toBeNull();
});

test('all that match go by their filter, which stands in the address', async () => {
  const { sent, asked } = world({ n: 1200 });
  const { user } = renderRoutes(routes, {
    at: '/support/jobs?kind=verify_payment&queue=payments&state=discarded&error=away&customer=c1',
  });
  expect(await screen.findByText('1,200 jobs')).toBeVisible();
  expect(Object.fromEntries(asked[0]?.searchParams ?? [])).toMatchObject({
    kind: 'verify_payment',
    queue: 'payments',
    state: 'discarded',
    search: 'away',
    customer_id: 'c1',
  });
  const drawn = await rows();
  expect(drawn.length).toBeLessThan(80);
  drawn[1]?.focus();
  await user.keyboard('ad');
  expect(await screen.findByRole('dialog', { name: 'Dismiss 1,200 jobs?' })).toBeVisible();
  await user.keyboard('{ArrowUp}{Enter}');
  await waitFor(() =>
    expect(sent).toMatchObject([
      { path: '/jobs/operations', body: { action: 'dismiss', filter: { kind: 'verify_payment', seen: '1-1' } } },
    ]),
  );
});

test('what fails meanwhile waits behind a notice and moves no row', async () => {
  let newer = 0;
  world({ newer: () => newer });
  const { user, queryClient } = renderRoutes(routes, { at: '/support/jobs' });
  await rows();
  newer = 3;
  await queryClient.refetchQueries({ queryKey: ['support', 'jobs', 'summary'] });
  const button = await screen.findByRole('button', { name: '3 new' });
  expect(await rows()).toHaveLength(4);
  world({ n: 6 });
  await user.click(button);
  await waitFor(() => expect(screen.queryByRole('button', { name: '3 new' })).toBeNull());
  const [, first] = await rows();
  expect(first).toHaveTextContent('#6');
  expect(first).toHaveFocus();
});

test('a list that is empty shows by itself what fails from then on', async () => {
  world({ n: 0 });
  const { queryClient } = renderRoutes(routes, { at: '/support/jobs' });
  await screen.findByText('No failed jobs');
  world({ n: 1 });
  await queryClient.refetchQueries({ queryKey: ['support', 'jobs', 'summary'] });
  expect((await rows())[1]).toHaveTextContent('Ask about a payment');
});

test('a job has an address of its own, and single keys can be turned off', async () => {
  world();
  const { user, container } = renderRoutes(routes, { at: '/support/jobs?job=2' });
  const dialog = await screen.findByRole('dialog', { name: 'Job 2: Ask about a payment' });
  expect(within(dialog).getByText(evil)).toBeVisible();
  expect(within(dialog).getByRole('button', { name: 'Copy request id' })).toBeVisible();
  expect(within(dialog).getByRole('link', { name: 'Open the payment' })).toHaveAttribute(
    'href',
    `/support/customers/${customerId}?entry=payment.${customerId}`,
  );
  expect(await accessibilityFaults(container)).toEqual([]);
  await user.click(within(dialog).getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.click(screen.getByRole('heading', { level: 1 }));
  await user.keyboard('?');
  const keys = await screen.findByRole('dialog', { name: 'Keys' });
  await user.click(within(keys).getByRole('checkbox', { name: /Single keys/ }));
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const [, first] = await rows();
  first?.focus();
  await user.keyboard('r?/');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(first).toHaveFocus();
  await user.keyboard('{Control>}k{/Control}');
  expect(screen.getByRole('combobox', { name: 'Find a customer' })).toHaveFocus();
  localStorage.clear();
});

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
  alerts: [],
};

test('queues say how they stand; admins pause them with a reason, others cannot', async () => {
  const { sent } = world({ role: 'admin' });
  server.use(
    http.get('*/api/support/queues', () => ok(board)),
    http.get('*/api/support/alerts', () =>
      ok({ alerts: [{ kind: 'aging_queue', message: 'The first of 2 jobs has waited.', queue: 'otp', job_id: 0 }] }),
    ),
    http.post('*/api/support/queues/otp/pause', async ({ request }) => {
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
  server.use(http.get('*/api/support/queues', () => ok(board)));
  renderRoutes(routes, { at: '/support/queues' });
  await screen.findByRole('listitem', { name: 'Queue otp' });
  expect(screen.queryByRole('button', { name: /Pause/ })).toBeNull();
});
