import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderRoutes } from '@/testing/render';
import { mock, ok, page, refused, server } from '@/testing/server';
import type { Customer } from '../api/customers';
import { contact } from '../contacts/contacts.fixture';
import { CustomerHealth } from './customer-facts';
import { CustomerPage } from './customer-page';
import { admin } from '../money/money-desk.fixture';

const customer = {
  id: 'c1',
  name: '',
  legal_name: 'Asha Sweets',
  store_name: '',
  mobile: '9876543210',
  state: 'active',
  next_bill: null,
  team: [],
  mandates: [],
  add_ons: [],
  open_requests: [],
  health: [],
  kinds: ['payment'],
  refunded: '₹0',
  created_at: '2026-11-20T09:01:30Z',
} as unknown as Customer;

test('an unknown customer id says so and leads to the customers', async () => {
  server.use(
    mock.get('/api/support/customers/c9', () =>
      refused(404, { code: 'not_found', message: 'Resource not found!', request_id: 'r' }),
    ),
  );
  renderRoutes([{ path: '/:id', element: <CustomerPage /> }], { at: '/c9' });
  expect(await screen.findByText('There is no such customer')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Customers' })).toHaveAttribute('href', '/support/customers');
  expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
});

test('the page and its timeline show a worker’s booking soon after', async () => {
  const asked = { customer: 0, timeline: 0 };
  const failed = { level: 'bad', text: 'A refund of ₹750 failed.', kind: 'refund', payment: 'FP1' };
  const request = {
    id: 'r1',
    payment_id: 'p1',
    kind: 'bank_transfer',
    state: 'approved',
    amount: '₹750',
    requested_by_name: 'Ravi',
  };
  server.use(
    mock.get('/api/support/presence', () => ok({ known: true, pages: [] })),
    mock.post('/api/support/presence', () => ok({ known: true, pages: [] })),
    mock.get('/api/support/me', () => ok(admin)),
    mock.get('/api/support/contacts', ({ request: { url } }) =>
      page(new URL(url).searchParams.get('customer') === 'c1' ? [contact] : []),
    ),
    mock.get('/api/support/deliveries', () => page([])),
    mock.get('/api/support/customers/c1/notes', () => ok({ notes: [], tags: [], known_tags: [] })),
    mock.get('/api/support/customers/c1', () =>
      ok((asked.customer += 1) === 1 ? { ...customer, open_requests: [request], health: [failed] } : customer),
    ),
    mock.get('/api/support/customers/c1/timeline', () => {
      asked.timeline += 1;
      return ok({ entries: [], next: null });
    }),
  );
  renderRoutes([{ path: '/:id', element: <CustomerPage /> }], { at: '/c1' });
  expect(await screen.findByText(/^A refund of ₹750 failed\./)).toBeVisible();
  await waitFor(() => expect(asked.timeline).toBeGreaterThan(0));
  const before = asked.timeline;
  await waitFor(() => expect(screen.queryByText(/^A refund of ₹750 failed\./)).toBeNull());
  await waitFor(() => expect(asked.timeline).toBeGreaterThan(before));
  expect(screen.getByRole('link', { name: '1 contact request' })).toHaveAttribute(
    'href',
    '/support/contacts?customer=c1&state=open',
  );
  expect(screen.getByRole('link', { name: 'My invoice lacks the GSTIN.' })).toHaveAttribute(
    'href',
    `/support/contacts/${contact.id}`,
  );
});

test('late deliveries and overdue requests are problems, and an unknown list is no all-clear', async () => {
  const nothing = { known: true, open: 0, late: 0, requests: 0, overdue: 0 };
  const show = (waits: typeof nothing) => renderRoutes(<CustomerHealth customer={customer} waits={waits} />);
  const { unmount } = show({ ...nothing, open: 6, late: 5, requests: 1, overdue: 1 });
  expect(await screen.findByText(/5 deliveries are late\./)).toBeVisible();
  expect(screen.getByText(/1 contact request is overdue\./)).toBeVisible();
  expect(screen.queryByText('No known problems.')).toBeNull();
  unmount();
  const unknown = show({ ...nothing, known: false });
  expect(screen.queryByText('No known problems.')).toBeNull();
  unknown.unmount();
  show(nothing);
  expect(await screen.findByText('No known problems.')).toBeVisible();
});
