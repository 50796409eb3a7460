import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { server } from '@/testing/server';
import type { Customer, TimelineEntry } from '../api/customers';
import type { Reversal, Trail } from '../api/help';
import { useActs } from './customer-acts';
import { Details } from './customer-details';
import { ReversalsPage } from './customer-reversals-page';
import { TrailPage } from './trail-page';

const ok = (data: object) => HttpResponse.json({ status: true, message: '', data });
const admin = { id: 's1', name: 'Sunita', email: 'sunita@example.in', role: 'admin' };
const reversal: Reversal = {
  id: 'r1',
  customer_id: 'c1',
  payment_id: 'p1',
  customer_name: 'Asha Sweets LLP',
  customer_mobile: '9876543210',
  transaction_id: 'FP1',
  gateway: 'payu',
  paid: '₹1,59,300',
  bought: 'Start up · Expansion',
  kind: 'refund',
  amount: '₹60,000',
  bank_reference: '',
  keep_plan: false,
  reason: 'Bought by mistake',
  printed_reason: '',
  state: 'waiting',
  needs_approval: true,
  requested_by: 's2',
  requested_by_name: 'Ravi',
  requested_at: '2026-11-21T05:30:00Z',
  decided_by_name: '',
  decided_at: null,
  decision_reason: '',
  failure: '',
  afterwards: 'goes_on',
};
const trail = {
  payment: {
    id: 'p1',
    customer_id: 'c1',
    transaction_id: 'FP1',
    gateway: 'payu',
    gateway_payment_id: '4039',
    state: 'held',
    amount_paise: 14_750_00,
    captured_paise: 14_749_00,
    paid_by: 'UPI',
    reason: 'Our staff will look at it.',
    surplus: false,
    created_at: '2026-11-20T09:00:00Z',
    decided_at: '2026-11-20T09:01:30Z',
    next_check_at: null,
  },
  captures: [
    {
      gateway_payment_id: '4039',
      state: 'held',
      amount_paise: 14_749_00,
      back_paise: 0,
      going_paise: 0,
      failed: false,
    },
  ],
  left_paise: 14_749_00,
  owed_paise: 0,
  approval_above_paise: 50_000_00,
  holding: null,
  clearing_paise: 14_749_00,
  order: {
    id: 'o1',
    kind: 'new',
    state: 'open',
    plan: 'Start up · Expansion',
    plan_type: 'monthly',
    total_paise: 14_750_00,
    credit_notes_paise: 0,
    created_at: '2026-11-20T09:00:00Z',
    lines: [
      {
        label: 'Start up Expansion',
        sac: '997331',
        quantity: 1,
        amount_paise: 12_500_00,
        discount_paise: 0,
        credit_paise: 0,
        from: '2026-11-20',
        to: '2026-12-20',
      },
    ],
  },
  events: [
    {
      id: 'e1',
      at: '2026-11-20T09:01:29Z',
      source: 'webhook',
      kind: 'payment',
      signed: true,
      status: 'success',
      amount_paise: 14_749_00,
      external_id: '',
      fields: { bank_ref_num: 'HDFC42' },
      applied_at: null,
    },
    {
      id: 'e2',
      at: '2026-11-21T09:01:29Z',
      source: 'webhook',
      kind: 'dispute',
      signed: false,
      status: 'open',
      amount_paise: 100,
      external_id: 'D1',
      fields: {},
      applied_at: null,
    },
  ],
  documents: [
    {
      id: 'd1',
      kind: 'receipt_voucher',
      number: 'RV/26-27/000001',
      total_paise: 14_749_00,
      issued_at: '2026-11-20T09:01:30Z',
      refund_id: '',
    },
  ],
  refunds: [
    {
      id: 'f1',
      gateway_payment_id: '4039',
      amount_paise: 500_00,
      reason: 'staff',
      note: 'Agreed',
      state: 'failed',
      channel: 'gateway',
      gateway_refund_id: 'R1',
      bank_reference: '',
      keep_plan: false,
      failure: 'The bank refused it.',
      created_at: '2026-11-21T09:00:00Z',
    },
  ],
  disputes: [
    {
      id: 'x1',
      gateway_dispute_id: 'D1',
      state: 'open',
      confirmed: false,
      amount_paise: 100,
      refund_id: '',
      opened_at: '2026-11-21T09:01:29Z',
      decided_at: null,
    },
  ],
  requests: [
    {
      id: 'r1',
      dispute_id: '',
      kind: 'release',
      state: 'waiting',
      amount_paise: 14_749_00,
      keep_plan: false,
      reason: 'It is short',
      requested_by: 'Ravi',
      requested_at: '2026-11-21T05:30:00Z',
      decided_by: '',
      refund_id: '',
      failure: '',
    },
  ],
  journals: [
    {
      id: 'j1',
      kind: 'capture',
      reference: 'FP1',
      description: 'Captured at PayU',
      posted_at: '2026-11-20T09:01:30Z',
      lines: [{ account: 'gateway_clearing', debit_paise: 14_749_00, credit_paise: 0 }],
    },
  ],
  settlements: [],
} as unknown as Trail;

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

test.each([
  ['goes_on', 'A part of what was paid for it stays with us, so what the payment bought goes on.'],
  ['ends', 'With this all of the payment is back, and what it bought ends that day.'],
  ['kept', 'With this all of the payment is back. What it bought goes on, as goodwill.'],
  [null, undefined],
] as const)('who approves reads what becomes of what was bought: %s', async (afterwards, says) => {
  server.use(
    http.get('*/api/support/me', () => ok(admin)),
    http.get('*/api/support/reversals', () =>
      HttpResponse.json({
        status: true,
        message: '',
        data: [{ ...reversal, afterwards }],
        current_page: 1,
        last_page: 1,
        next_page_url: null,
        per_page: 10,
        total: 1,
      }),
    ),
  );
  const { user } = renderRoutes([{ path: '/', element: <ReversalsPage /> }], { at: '/' });
  await user.click(await screen.findByRole('button', { name: 'Approve ₹60,000' }));
  const dialog = await screen.findByRole('dialog', { name: 'Give ₹60,000 back to Asha Sweets LLP?' });
  for (const place of [screen.getByRole('listitem'), dialog]) {
    if (says) expect(place).toHaveTextContent(says);
    else expect(place).not.toHaveTextContent(/bought (ends|goes on)|goodwill/);
  }
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

test('captures of one payment, and what was heard of each, are told apart', async () => {
  const twice = {
    ...trail,
    payment: {
      ...trail.payment,
      state: 'paid',
      gateway_payment_id: '403993715531077182',
      amount_paise: 14_750_00,
      captured_paise: 14_750_00,
    },
    captures: [
      {
        gateway_payment_id: '403993715531077182',
        state: 'accepted',
        amount_paise: 14_750_00,
        back_paise: 500_00,
        going_paise: 0,
        failed: false,
      },
      {
        gateway_payment_id: '403993715531099201',
        state: 'surplus',
        amount_paise: 14_750_00,
        back_paise: 0,
        going_paise: 14_750_00,
        failed: false,
      },
      {
        gateway_payment_id: '403993715531099555',
        state: 'surplus',
        amount_paise: 14_750_00,
        back_paise: 0,
        going_paise: 0,
        failed: true,
      },
    ],
    events: ['403993715531077182', '403993715531099201'].map((id) => ({
      ...trail.events[0],
      id,
      external_id: id,
      fields: {},
    })),
    refunds: [
      { ...trail.refunds[0], gateway_payment_id: '403993715531099201', reason: 'surplus', state: 'sent', failure: '' },
    ],
  };
  server.use(
    http.get('*/api/support/me', () => ok(admin)),
    http.get('*/api/support/payments/FP1/trail', () => ok(twice)),
  );
  const { container } = renderRoutes([{ path: '/:payment', element: <TrailPage /> }], { at: '/FP1' });
  expect((await screen.findByText('Came')).nextElementSibling).toHaveTextContent('₹44,250 in 3 captures');
  const rows = within(screen.getByRole('table', { name: 'Captures of the payment' }))
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.textContent);
  expect(rows).toEqual([
    expect.stringMatching(/^…077182.*₹14,750Paid for what was bought; ₹500 is back$/),
    expect.stringMatching(/^…099201.*₹14,750Nothing to give for it; ₹14,750 is on its way back$/),
    expect.stringMatching(/^…099555.*₹14,750Nothing to give for it; its refund failed$/),
  ]);
  const heard = within(screen.getByRole('region', { name: 'What was heard' })).getAllByRole('listitem');
  expect(heard.map((one) => /capture …\d+/.exec(one.textContent)?.[0])).toEqual(['capture …077182', 'capture …099201']);
  expect(screen.getByRole('region', { name: 'Refunds' })).toHaveTextContent('of capture …099201');
  expect(screen.queryByText('Times asked')).toBeNull();
  expect(await accessibilityFaults(container)).toEqual([]);
});

test('a payment in the timeline says what was due beside what came', () => {
  renderRoutes([{ path: '/', element: <Details values={{ due_paise: 14_750_00, captured_paise: 14_749_00 }} /> }], {
    at: '/',
  });
  for (const [name, value] of [
    ['Due', '₹14,750'],
    ['Came', '₹14,749'],
  ])
    expect(screen.getByText(name ?? '').nextElementSibling).toHaveTextContent(value ?? '');
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
      return HttpResponse.json({ status: true, message: 'It is told what follows.', data: {} });
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
  expect(await screen.findByText('It is told what follows.')).toBeVisible();
});

test.each([
  ['waiting', 'Ravi asked for the loss to be booked. A second admin has to approve it.'],
  ['approved', 'The loss is being booked.'],
])('a loss that is asked for is not asked for again: %s', async (state, says) => {
  const asked = { ...trail, requests: [{ ...trail.requests[0], kind: 'chargeback', dispute_id: 'D1', state }] };
  server.use(
    http.get('*/api/support/me', () => ok(admin)),
    http.get('*/api/support/payments/FP1/trail', () => ok(asked)),
  );
  renderRoutes([{ path: '/:payment', element: <TrailPage /> }], { at: '/FP1' });
  expect(await screen.findByRole('region', { name: 'Disputes' })).toHaveTextContent(says);
  expect(screen.queryByRole('button', { name: 'Say how it ended' })).toBeNull();
});

test('each try to book a loss has a key of its own, so that one that was declined can be asked for again', async () => {
  const keys: (string | null)[] = [];
  server.use(
    http.get('*/api/support/me', () => ok(admin)),
    http.get('*/api/support/payments/FP1/trail', () => ok(trail)),
    http.post('*/api/support/reversals', ({ request }) => {
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
