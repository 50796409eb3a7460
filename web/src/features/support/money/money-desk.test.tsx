import { screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { mock, ok, page, server } from '@/testing/server';
import { Details } from '../customers/customer-details';
import { ReversalsPage } from './customer-reversals-page';
import { admin, noActs, reversal, trail } from './money-desk.fixture';
import { TrailPage } from './trail-page';

beforeEach(() => server.use(noActs));

test('who approves reads whose money it is, of which payment and for what', async () => {
  server.use(
    mock.get('/api/support/me', () => ok(admin)),
    mock.get('/api/support/reversals', () => page([reversal])),
  );
  const { user, container } = renderRoutes(<ReversalsPage />);
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
    mock.get('/api/support/me', () => ok(admin)),
    mock.get('/api/support/reversals', () => page([{ ...reversal, afterwards }])),
  );
  const { user } = renderRoutes(<ReversalsPage />);
  await user.click(await screen.findByRole('button', { name: 'Approve ₹60,000' }));
  const dialog = await screen.findByRole('dialog', { name: 'Give ₹60,000 back to Asha Sweets LLP?' });
  for (const place of [screen.getByRole('listitem'), dialog]) {
    if (says) expect(place).toHaveTextContent(says);
    else expect(place).not.toHaveTextContent(/bought (ends|goes on)|goodwill/);
  }
});

test.each([
  [
    'bank_transfer',
    'Book a bank transfer of ₹60,000 to Asha Sweets LLP?',
    /Bank transfer for a failed refund of FP1.*bank’s statement.*UTR HDFCN52026112112345678.*Booking it pays nothing/,
  ],
  [
    'credit_note',
    'Book ₹60,000 as paid back to Asha Sweets LLP?',
    /bank’s statement.*UTR HDFCN52026112112345678.*credit note/,
  ],
] as const)('who approves a %s is shown its UTR and asked to look at the statement', async (kind, name, says) => {
  server.use(
    mock.get('/api/support/me', () => ok(admin)),
    mock.get('/api/support/reversals', () =>
      page([
        { ...reversal, kind, afterwards: null, bank_reference: 'HDFCN52026112112345678' },
        { ...reversal, id: 'r2', kind, state: 'done', bank_reference: 'HDFCN52026112112345678' },
        { ...reversal, id: 'r3', kind, state: 'approved', bank_reference: 'HDFCN52026112112345678' },
      ]),
    ),
  );
  const { user } = renderRoutes(<ReversalsPage />);
  await user.click(await screen.findByRole('button', { name: 'Approve ₹60,000' }));
  const dialog = await screen.findByRole('dialog', { name });
  expect(dialog).toHaveTextContent(says);
  expect(dialog).not.toHaveTextContent(/goes back/);
  expect(within(dialog).getByText('Seen on the bank’s statement')).toBeInTheDocument();
  const [, done, approved] = screen.getAllByRole('heading', { level: 3 }).map((one) => one.parentElement);
  expect(done).toHaveTextContent(/Booked$/);
  expect(approved).toHaveTextContent(/Approved, being booked$/);
});

test('who approves a credit note for a bill that was paid less tax reads how much the transfer back is', async () => {
  server.use(
    mock.get('/api/support/me', () => ok(admin)),
    mock.get('/api/support/payments/{payment}/trail', () =>
      ok({ ...trail, left_paise: 1_59_300_00, withheld_paise: 13_500_00 }),
    ),
    mock.get('/api/support/reversals', () =>
      page([{ ...reversal, kind: 'credit_note', gateway: 'bank', amount: '₹1,59,300', bank_reference: 'OURN4202612' }]),
    ),
  );
  const { user } = renderRoutes(<ReversalsPage />);
  await user.click(await screen.findByRole('button', { name: 'Approve ₹1,59,300' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(await dialog.findByText(/^Transfer ₹1,45,800 back: only that came in\. ₹13,500 of it/)).toBeVisible();
});

test('the trail tells all of a payment, and why it is held in numbers', async () => {
  server.use(
    mock.get('/api/support/me', () => ok(admin)),
    mock.get('/api/support/payments/FP1/trail', () => ok(trail)),
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
  const events = screen.getByRole('region', { name: 'What was reported' });
  expect(within(events).getByText('signed')).toBeVisible();
  expect(within(events).getByText(/^A notice that nobody signed: dispute/)).toHaveTextContent('unsigned');
  expect(screen.getByText('RV/26-27/000001')).toBeVisible();
  expect(screen.getByText('The bank refused it.')).toBeVisible();
  expect(screen.getByText('waits for a second admin')).toBeVisible();
  expect(screen.getByText('Start up Expansion').closest('tr')).toHaveTextContent('20 Nov 2026 to 19 Dec 2026');
  expect(await accessibilityFaults(container)).toEqual([]);
});

test('distinguishes the captures of one payment and the messages about each', async () => {
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
    mock.get('/api/support/me', () => ok(admin)),
    mock.get('/api/support/payments/FP1/trail', () => ok(twice)),
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
  const heard = within(screen.getByRole('region', { name: 'What was reported' })).getAllByRole('listitem');
  expect(heard.map((one) => /capture …\d+/.exec(one.textContent)?.[0])).toEqual(['capture …077182', 'capture …099201']);
  expect(screen.getByRole('region', { name: 'Refunds' })).toHaveTextContent('of capture …099201');
  expect(screen.queryByText('Times asked')).toBeNull();
  expect(await accessibilityFaults(container)).toEqual([]);
});

test('a payment in the timeline shows the amounts due and received', () => {
  renderRoutes([{ path: '/', element: <Details values={{ due_paise: 14_750_00, captured_paise: 14_749_00 }} /> }], {
    at: '/',
  });
  for (const [name, value] of [
    ['Due', '₹14,750'],
    ['Came', '₹14,749'],
  ])
    expect(screen.getByText(name ?? '').nextElementSibling).toHaveTextContent(value ?? '');
});
