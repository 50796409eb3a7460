import { screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { mock, ok, page, server } from '@/testing/server';
import { ReversalsPage } from '../money/customer-reversals-page';
import { EInvoicesPage } from '../books/e-invoices-page';
import { JobsPage } from '../jobs/jobs-page';
import { MoneyPage } from '../money/money-page';
import { TransfersPage } from '../transfers/transfers-page';
const empty = () => page([]);
const counts = {
  held: 0,
  disputes: 0,
  unconfirmed_disputes: 0,
  failed_refunds: 0,
  settlement_differences: 0,
  acknowledged_differences: 0,
};

beforeEach(() =>
  server.use(
    mock.get('/api/support/me', () => ok({ id: 's1', name: 'Meera', email: 'meera@example.in', role: 'admin' })),
    mock.get('/api/support/money', () => ok({ counts, rows: [] })),
    mock.get('/api/support/books/lock', () => ok({ locked_through: null, history: [] })),
    mock.get('/api/support/e-invoices/counts', () =>
      ok({ registering: true, waiting: 0, refused: 0, unsigned: 0, cancelled: 0 }),
    ),
    mock.get('/api/support/jobs', () => ok({ jobs: [], first: '', next: '' })),
    mock.get('/api/support/jobs/summary', () =>
      ok({ total: 0, newer: 0, groups: [], facets: [], bars: [], step_seconds: 60 }),
    ),
    mock.get('/api/support/jobs/operations', () => ok({ operations: [] })),
    mock.get('/api/support/alerts', () => ok({ alerts: [] })),
    mock.get('/api/support/saved-views', () => ok({ views: [] })),
    ...(['reversals', 'acts', 'bank-credits', 'transfers', 'e-invoices'] as const).map((list) =>
      mock.get(`/api/support/${list}`, empty),
    ),
  ),
);

test.each([
  [MoneyPage, '/?kind=held', 'Download CSV', 'money/export?kind=held'],
  [MoneyPage, '/?kind=anything', 'Download CSV', 'money/export'],
  [ReversalsPage, '/?state=waiting&page=2', 'Download CSV of money to go back', 'reversals/export?state=waiting'],
  [ReversalsPage, '/?state=waiting', 'Download CSV of acts for customers', 'acts/export?state=waiting'],
  [EInvoicesPage, '/?state=refused', 'Download CSV', 'e-invoices/export?state=refused'],
  [TransfersPage, '/?state=open&search=A%26B', 'Download CSV', 'bank-credits/export?state=open&search=A%26B'],
  [TransfersPage, '/?tab=proformas&state=paid', 'Download CSV', 'transfers/export?state=paid'],
  [
    JobsPage,
    '/?kind=send_otp&error=away&state=discarded',
    'Download CSV',
    'jobs/export?kind=send_otp&search=away&state=discarded',
  ],
])('%o at %s: the file has the filters of the list, and no page', async (Page, at, name, address) => {
  const { container } = renderRoutes(<Page />, { at });
  expect(await screen.findByRole('link', { name })).toHaveAttribute('href', `/api/support/${address}`);
  expect(await accessibilityFaults(container)).toEqual([]);
});
