import { screen, within } from '@testing-library/react';
import { mock, ok, server } from '@/testing/server';
import type { FailedJob, Job, JobDryRun } from '../api/jobs';
import { ConsoleFrame } from '../shell/console-frame';
import { JobsPage } from './jobs-page';
import { QueuesPage } from './queues-page';

export const customerId = '019ae0c2-9f00-7a11-8f00-4b1d2c3e4f50';
export const at = '2026-11-21T05:30:00Z';
export const evil = '<img src=x onerror=alert(1)>gateway away';
export const routes = [
  {
    element: <ConsoleFrame />,
    children: [
      { path: 'support/jobs', element: <JobsPage /> },
      { path: 'support/queues', element: <QueuesPage /> },
      { path: 'support/customers/:id', element: <h1>Asha</h1> },
    ],
  },
];

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
  customer_name: 'Asha Foods',
  sign_up: '',
});
const withoutNames = (job: FailedJob) => {
  const rest: Omit<FailedJob, 'customer_name' | 'sign_up'> & Partial<FailedJob> = { ...job };
  delete rest.customer_name;
  delete rest.sign_up;
  return rest;
};
export const whole = (id: number): Job => ({
  ...withoutNames(failed(id)),
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

export function world({
  n = 3,
  role = 'support',
  newer = () => 0,
  failing = () => [],
}: { n?: number; role?: string; newer?: () => number; failing?: () => JobDryRun['failing'] } = {}) {
  const sent: Sent[] = [];
  const asked: URL[] = [];
  const tried: unknown[] = [];
  const note = async (request: Request) => {
    sent.push({
      path: new URL(request.url).pathname.replace('/api/support', ''),
      body: await request.json(),
      key: request.headers.get('Idempotency-Key'),
    });
  };
  server.use(
    mock.get('/api/support/me', () => ok({ id: customerId, name: 'Sunita', email: 'sunita@example.in', role })),
    mock.get('/api/support/alerts', () => ok({ alerts: [] })),
    mock.get('/api/support/saved-views', () => ok({ views: [] })),
    mock.get('/api/support/jobs', ({ request }) => {
      const url = new URL(request.url);
      asked.push(url);
      const begin = Number(url.searchParams.get('after') ?? 0);
      const end = begin + 50;
      return ok({ jobs: jobs(n).slice(begin, end), first: n ? '1-1' : '', next: end < n ? String(end) : '' });
    }),
    mock.get('/api/support/jobs/summary', () =>
      ok({
        total: n + newer(),
        newer: newer(),
        groups: n ? [{ kind: 'verify_payment', cause: evil, key: 'abc', count: n, latest_at: at }] : [],
        facets: [{ kind: 'verify_payment', queue: 'payments', count: n }],
        bars: [{ from: at, count: n }],
        step_seconds: 60,
      }),
    ),
    mock.get('/api/support/jobs/operations', () => ok({ operations: [operation] })),
    mock.get('/api/support/jobs/{job}', ({ params }) => ok(whole(Number(params.job)))),
    mock.post('/api/support/jobs/operations', async ({ request }) => {
      await note(request);
      return ok({ id: customerId, total: 2 });
    }),
    mock.get('/api/support/jobs/operations/{id}', () =>
      ok({
        operation,
        results: [
          { id: 2, done: false, message: 'Job 9 does the same and is on its way already.' },
          { id: 3, done: true, message: '' },
        ],
        refusals: [{ code: 'job_twin', message: 'Job 9 does the same and is on its way already.', count: 1 }],
        aftermath: { completed: 0, failed: 1, waiting: 0, other: 0 },
      }),
    ),
    mock.post('/api/support/jobs/dry-runs', async ({ request }) => {
      const body = (await request.json()) as { ids?: number[] };
      tried.push(body);
      const total = body.ids?.length ?? n;
      return ok({
        id: customerId,
        total,
        acts: 1,
        nothing: total - 1,
        refused: 0,
        left: 0,
        refusals: [],
        failing: failing(),
      });
    }),
    mock.post('/api/support/schedules/{kind}/run', async ({ request }) => {
      await note(request);
      return ok({ job_id: 77 });
    }),
    ...(['rerun', 'cancel', 'dismiss'] as const).map((action) =>
      mock.post(`/api/support/jobs/${action}`, async ({ request }) => {
        await note(request);
        return ok({ results: [{ id: 3, done: true, message: '' }] });
      }),
    ),
  );
  return { sent, asked, tried };
}

export const rows = async () => within(await screen.findByRole('table', { name: /^Failed jobs/ })).getAllByRole('row');

/** Gives the focus to what opens the row. */
export const focusRow = (row: HTMLElement | undefined) => within(row!).getByRole('button').focus();
