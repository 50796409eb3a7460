import { screen, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { server } from '@/testing/server';
import type { Queue } from '../api/jobs';
import { ok, refused } from './console.fixture';
import { SupportHomePage } from './home-page';

const queue = (change: Partial<Queue>) =>
  ({ name: 'default', depth: 0, oldest_age: 0, running: 0, failed: 0, ...change }) as Queue;
const counts = { held: 1, disputes: 0, unconfirmed_disputes: 0, failed_refunds: 2, settlement_differences: 0 };

const listOf = (total: number) =>
  HttpResponse.json({ status: true, message: '', data: [], total, current_page: 1, last_page: 1 });

function open(queues: Queue[] = [], contacts: () => Response = () => listOf(3)) {
  server.use(
    http.get('*/api/support/me', () => ok({ id: 's1', name: 'Sunita', email: 'sunita@example.in', role: 'support' })),
    http.get('*/api/support/queues', () => ok({ queues, running: [], schedules: [], workers: [] })),
    http.get('*/api/support/contacts', contacts),
    http.get('*/api/support/reversals', () => listOf(0)),
    http.get('*/api/support/documents/lost', () => ok({ count: 0, different: 0, since: null, checked_at: null })),
    http.get('*/api/support/money', () => ok({ data: [], counts })),
    http.get('*/healthz', () => ok({ version: 'v1.2.0' })),
  );
  return renderRoutes([{ path: 'support', element: <SupportHomePage /> }]);
}

test('what waits for somebody is counted, and each number leads to its list', async () => {
  const { container } = open([queue({ name: 'sms', depth: 12000, oldest_age: 90, running: 4, failed: 1500 })]);
  const waits: [name: string, to: string][] = [
    ['1,500 failed jobs', '/support/jobs'],
    ['3 open contact requests', '/support/contacts?status=open'],
    ['0 refunds to approve', '/support/approvals?state=waiting'],
    ['1 held payment', '/support/money?kind=held'],
    ['0 open disputes', '/support/money?kind=dispute'],
    ['2 failed refunds', '/support/money?kind=refund'],
  ];
  for (const [name, to] of waits) expect(await screen.findByRole('link', { name })).toHaveAttribute('href', to);
  const cells = within(screen.getByRole('region', { name: 'Queues' })).getAllByRole('cell');
  expect(cells.map((cell) => cell.textContent)).toEqual(['12,000', '90 s', '4', '1,500 failed jobs of sms']);
  expect(screen.getByRole('link', { name: '1,500 failed jobs of sms' })).toHaveAttribute(
    'href',
    '/support/jobs?queue=sms',
  );
  expect(await accessibilityFaults(container)).toEqual([]);
});

test('without queues there is no empty table', async () => {
  open();
  expect(await screen.findByText('Every queue is empty.')).toBeVisible();
  expect(await screen.findByText('Release v1.2.0')).toBeVisible();
  expect(screen.queryByRole('table')).not.toBeInTheDocument();
});

test('what could not be counted says so in its place, and can be asked for again', async () => {
  const { user } = open([], () => refused(503, 'down'));
  const failure = await screen.findByRole('alert');
  expect(failure).toHaveTextContent('We could not load the open contact requests.');
  expect(await screen.findByRole('link', { name: '1 held payment' })).toBeVisible();
  server.use(http.get('*/api/support/contacts', () => listOf(1)));
  await user.click(within(failure).getByRole('button', { name: 'Retry' }));
  expect(await screen.findByRole('link', { name: '1 open contact request' })).toBeVisible();
});
