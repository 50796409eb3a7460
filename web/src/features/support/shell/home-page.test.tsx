import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { mock, ok, refused, server } from '@/testing/server';
import type { Queue } from '../api/jobs';
import type { WorkGroup, WorkRow } from '../api/watch';

import { SupportHomePage } from './home-page';

const row: WorkRow = {
  key: 'a',
  title: 'FP261121AAAA',
  wrong: '₹1 is missing.',
  to_do: 'Give it back.',
  link: '/support/customers/c1',
  since: '2026-11-21T05:30:00Z',
  amount_paise: 1474900,
  customer_id: 'c1',
  customer: 'Asha Sweets LLP',
  claimed_by: '',
  claimed_at: null,
  mine: false,
};
const held = (count: number, ...rows: Partial<WorkRow>[]): WorkGroup => ({
  kind: 'held_payment',
  title: 'Held payments',
  link: '/support/money?kind=held',
  count,
  rows: rows.map((change) => ({ ...row, ...change })),
});

function open(groups: () => Response, queues: Queue[] = [], role = 'support') {
  server.use(
    mock.get('/api/support/presence', () => ok({ known: true, pages: [] })),
    mock.post('/api/support/presence', () => ok({ known: true, pages: [] })),
    mock.get('/api/support/me', () => ok({ id: 's1', name: 'Sunita', email: 'sunita@example.in', role })),
    mock.get('/api/support/jobs/summary', () =>
      ok({
        total: 12,
        newer: 0,
        groups: [{ kind: 'send_otp', cause: 'away', key: 'k1', count: 12, latest_at: '2026-11-21T05:30:00Z' }],
        facets: [],
        bars: [],
        step_seconds: 60,
      }),
    ),
    mock.get('/api/support/books/lock', () =>
      ok({ through: '2026-09-30', can_lock_through: '2026-10-31', history: [] }),
    ),
    mock.get('/api/support/books/checks', () => ok({ last: null, invariants: [] })),
    mock.get('/api/support/queues', () => ok({ queues, running: [], schedules: [], workers: [] })),
    mock.get('/api/support/work', groups),
    mock.get('/api/support/documents/lost', () => ok({ count: 0, different: 0, since: null, checked_at: null })),
    mock.get('/healthz', () => ok({ version: 'v1.2.0' })),
  );
  return renderRoutes([{ path: 'support', element: <SupportHomePage /> }]);
}

test('counts the waiting items, names each problem, and links to the page where staff can act', async () => {
  const queue = { name: 'sms', depth: 12000, oldest_age: 90, running: 4, failed: 1500 } as Queue;
  const { container } = open(
    () => ok({ groups: [held(3, {}, { key: 'b', title: 'B', claimed_by: 'Ravi' })] }),
    [queue],
  );
  const group = await screen.findByRole('region', { name: 'Held payments (3)' });
  expect(within(group).getByRole('link', { name: 'FP261121AAAA' })).toHaveAttribute('href', '/support/customers/c1');
  expect(group).toHaveTextContent('₹14,749');
  expect(group).toHaveTextContent('₹1 is missing.');
  expect(group).toHaveTextContent('1 newer ones are not shown here.');
  expect(await within(group).findByRole('button', { name: 'Claim FP261121AAAA' })).toBeVisible();
  expect(within(group).getByRole('button', { name: 'Take over B' })).toBeVisible();
  expect(await screen.findByRole('link', { name: '12 × Send a code by SMS' })).toHaveAttribute(
    'href',
    '/support/jobs?kind=send_otp&cause=k1',
  );
  expect(await screen.findByText(/^12,000 jobs waiting, the oldest for 90 s\./)).toBeVisible();
  expect(screen.queryByRole('region', { name: /^Close/ })).not.toBeInTheDocument();
  expect(await accessibilityFaults(container)).toEqual([]);
});

test('a row is claimed, found under mine, and released', async () => {
  const sent: unknown[] = [];
  let mine = false;
  const { user } = open(() => ok({ groups: [held(1, { mine, claimed_by: mine ? 'Sunita' : '' })] }));
  server.use(
    ...(['claim', 'release'] as const).map((what) =>
      mock.post(`/api/support/work/${what}`, async ({ request }) => {
        sent.push([what, await request.json()]);
        mine = what === 'claim';
        return ok(null);
      }),
    ),
  );
  await user.click(await screen.findByRole('button', { name: 'Claim FP261121AAAA' }));
  await user.click(screen.getByRole('checkbox', { name: 'Only mine' }));
  await user.click(await screen.findByRole('button', { name: 'Release FP261121AAAA' }));
  expect(await screen.findByText('You have not claimed anything.')).toBeVisible();
  await waitFor(() =>
    expect(sent).toEqual([
      ['claim', { kind: 'held_payment', key: 'a', take_over: false }],
      ['release', { kind: 'held_payment', key: 'a' }],
    ]),
  );
});

test('a row of the work list names its customer', async () => {
  open(() => ok({ groups: [held(1, {})] }));
  expect(await screen.findByRole('link', { name: 'Asha Sweets LLP' })).toHaveAttribute('href', '/support/customers/c1');
});

test('nothing to do says so', async () => {
  open(() => ok({ groups: [held(0)] }));
  expect(await screen.findByText('Nothing is waiting.')).toBeVisible();
  expect(await screen.findByText('Every queue is empty.')).toBeVisible();
});

test('a list that did not come says so, and can be asked for again', async () => {
  const { user } = open(() => refused(503, 'down'));
  const failure = await screen.findByRole('alert');
  expect(failure).toHaveTextContent('We could not load the work list.');
  server.use(mock.get('/api/support/work', () => ok({ groups: [held(1, {})] })));
  await user.click(within(failure).getByRole('button', { name: 'Retry' }));
  expect(await screen.findByRole('region', { name: 'Held payments (1)' })).toBeVisible();
});

test('finance sees what closes the month is waiting for, and no jobs', async () => {
  const group = (kind: string, count: number): WorkGroup => ({ ...held(count, {}), kind, title: kind });
  open(() => ok({ groups: [group('settlement_difference', 2), group('failed_refund', 1)] }), [], 'finance');
  const close = await screen.findByRole('region', { name: 'Close October 2026' });
  expect(close).toHaveTextContent(/Every bank credit pays a bill\s*Done/);
  expect(close).toHaveTextContent(/Settlements agree with the books\s*2 differences left/);
  expect(close).toHaveTextContent(/The books check is sound\s*Never run/);
  expect(
    screen
      .getAllByRole('region')
      .map((one) => one.getAttribute('aria-labelledby'))
      .filter((id) => id?.startsWith('work-')),
  ).toEqual(['work-failed_refund', 'work-settlement_difference']);
  expect(screen.queryByRole('region', { name: /failed job/ })).not.toBeInTheDocument();
});
