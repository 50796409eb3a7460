import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { server } from '@/testing/server';
import type { Customer, TimelineEntry } from '../api/customers';
import { useActs } from './customer-acts';
import { ReversalsPage } from './customer-reversals-page';
import { reversal, trail } from './money-desk.fixture';
import { TrailPage } from './trail-page';

const ok = (data: object) => HttpResponse.json({ status: true, message: '', data });
const admin = { id: 's1', name: 'Sunita', email: 'sunita@example.in', role: 'admin' };

test('who approves reads whose money it is, of which payment and for what', async () => {
  server.use(
    http.get('*/api/support/me', () => ok(admin)),
    http.get('*/api/support/reversals', () =>
      HttpResponse.json({
        status: true,
        message: '',
        data: [reversal],
        current_page: 1,
        last_page: 1,
        next_page_url: null,
        per_page: 10,
        total: 1,
      }),
    ),
  );
  const { user, container } = renderRoutes([{ path: '/', element: <ReversalsPage /> }], { at: '/' });
  expect(await screen.findByRole('link', { name: 'Asha Sweets LLP' })).toHaveAttribute(
    'href',
    '/support/customers/c1?entry=payment.p1',
  );
  expect(screen.getByRole('link', { name: 'FP1' }).closest('p')).toHaveTextContent(
    'Asha Sweets LLP · FP1, ₹1,59,300 at PayU, Start up · Expansion',
  );
  await user.click(await screen.findByRole('button', { name: 'Approve ₹60,000' }));
  const dialog = await screen.findByRole('dialog', { name: 'Give ₹60,000 back to Asha Sweets LLP?' });
  expect(within(dialog).getByText('Refund of FP1: ₹1,59,300 at PayU, Start up · Expansion.')).toBeVisible();
  expect(await accessibilityFaults(container)).toEqual([]);
});

test('the trail tells all of a payment, and why it is held in numbers', async () => {
  server.use(
    http.get('*/api/support/me', () => ok(admin)),
    http.get('*/api/support/payments/FP1/trail', () => ok(trail)),
  );
  const { container } = renderRoutes([{ path: '/:payment', element: <TrailPage /> }], { at: '/FP1' });
  expect(await screen.findByRole('heading', { level: 1, name: 'FP1' })).toBeVisible();
  expect(
    screen.getByText('₹14,750 was due and ₹14,749 came: ₹1 is missing. It is held until an admin gives it back.'),
  ).toBeVisible();
  expect(screen.queryByText(/Our staff will look/)).toBeNull();
  for (const [name, value] of [
    ['Gateway', 'PayU, by UPI'],
    ['Its payment id', '4039'],
    ['Bank reference', 'HDFC42'],
    ['Invoice', 'None'],
  ])
    expect(screen.getByText(name ?? '').nextElementSibling).toHaveTextContent(value ?? '');
  const events = screen.getByRole('region', { name: 'What was heard' });
  expect(within(events).getByText('signed')).toBeVisible();
  expect(within(events).getByText(/^A notice that nobody signed: dispute/)).toHaveTextContent('unsigned');
  expect(screen.getByText('RV/26-27/000001')).toBeVisible();
  expect(screen.getByText('The bank refused it.')).toBeVisible();
  expect(screen.getByText('waits for a second admin')).toBeVisible();
  expect(screen.getByText('Start up Expansion').closest('tr')).toHaveTextContent('20 Nov 2026 to 19 Dec 2026');
  expect(await accessibilityFaults(container)).toEqual([]);
});

const customer = {
  id: 'c1',
  name: '',
  legal_name: 'Asha Sweets',
  store_name: '',
  mobile: '9876543210',
  erased: false,
  open_requests: [],
  domain: '',
  state: 'active',
  payment_state: 'held',
  last_payment_id: 'p1',
  open_sessions: 0,
} as unknown as Customer;
const entry = {
  id: 'payment.p1',
  kind: 'payment',
  status: 'held',
  reference: 'FP1',
  title: 'Payment begun',
  details: { payment_id: 'p1' },
} as unknown as TimelineEntry;
function Acts({ customer: of, entry: one }: { customer: Customer; entry: TimelineEntry }) {
  const { forEntry } = useActs(of);
  return forEntry(one);
}

test('money that is asked back already is not offered again', async () => {
  server.use(http.get('*/api/support/me', () => ok(admin)));
  const waits = {
    id: 'r1',
    payment_id: 'p1',
    kind: 'release' as const,
    state: 'waiting' as const,
    amount: '₹14,749',
    requested_by_name: 'Ravi',
  };
  const cases: [string, Customer, TimelineEntry][] = [
    ['free', customer, entry],
    ['waits', { ...customer, open_requests: [waits] }, entry],
    ['approved', { ...customer, open_requests: [{ ...waits, state: 'approved' }] }, entry],
    ['released', customer, { ...entry, details: { ...entry.details, going_back: true } }],
    ['paid', { ...customer, open_requests: [waits] }, { ...entry, status: 'paid' }],
  ];
  renderRoutes(
    [
      {
        path: '/',
        element: (
          <>
            {cases.map(([name, of, one]) => (
              <section key={name} aria-label={name}>
                <Acts customer={of} entry={one} />
              </section>
            ))}
          </>
        ),
      },
    ],
    { at: '/' },
  );
  expect(await screen.findByRole('button', { name: 'Give it back' })).toBeVisible();
  expect(screen.getAllByRole('button')).toHaveLength(1);
  for (const name of ['waits', 'paid'])
    expect(screen.getByRole('region', { name })).toHaveTextContent(
      'Ravi asked for ₹14,749 to go back. A second admin has to approve it.',
    );
  expect(screen.getByRole('region', { name: 'approved' })).toHaveTextContent('₹14,749 is on its way back.');
});

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
])('an admin says how a dispute ended: %s', async (says, button, path, sent) => {
  const bodies: unknown[] = [];
  server.use(
    http.get('*/api/support/me', () => ok(admin)),
    http.get('*/api/support/payments/FP1/trail', () => ok(trail)),
    http.post(`*${path}`, async ({ request }) => {
      bodies.push(await request.json());
      return ok({});
    }),
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
});
