import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { keeping, mock, ok, refused, server } from '@/testing/server';
import type { SettlementDay, SettlementDifference, SettlementLine } from '../api/help';
import { SettlementsPage } from './settlements-page';

const day: SettlementDay = {
  gateway: 'payu',
  day: '2026-11-20',
  lines: 2,
  captured_paise: 15930000,
  refunded_paise: 0,
  fee_paise: 318600,
  tax_paise: 57348,
  net_paise: 15554052,
  compared_at: '2026-11-21T05:30:00Z',
  differences: [],
};
const line: SettlementLine = {
  gateway: 'payu',
  day: '2026-11-20',
  line_id: 'capture:1',
  kind: 'capture',
  action: 'capture',
  transaction_id: 'FP261120AAAA',
  gateway_payment_id: '4039',
  refund_id: '',
  amount_paise: 15930000,
  fee_paise: 318600,
  tax_paise: 57348,
  net_paise: 15554052,
  settlement_id: '',
  utr: 'PAYUN52026112000001',
  settled_at: '2026-11-20T18:30:00Z',
  booked_at: '2026-11-21T05:30:00Z',
  waits_for: '',
};
const waiting: SettlementLine = {
  ...line,
  line_id: 'refund:R1',
  kind: 'refund',
  action: 'refund',
  refund_id: 'R1',
  utr: '',
  booked_at: null,
  waits_for: 'The refund is on its way. It is booked once the gateway has done it.',
};
const difference: SettlementDifference = {
  id: 'd1',
  can_acknowledge: false,
  acknowledged: null,
  gateway: 'payu',
  day: '2026-11-20',
  transaction_id: 'FP261120BBBB',
  kind: 'not_paid_here',
  meaning: 'The gateway settled a capture of which nobody told us.',
  ours_paise: 0,
  theirs_paise: 1475000,
  opened_at: '2026-11-21T05:30:00Z',
  cleared_at: null,
};

function open(
  days: SettlementDay[],
  {
    at = '/',
    lines = [] as SettlementLine[],
    differences = [] as SettlementDifference[],
    known = [] as SettlementDifference[],
    role = 'support',
  } = {},
) {
  const asked: string[] = [];
  server.use(
    mock.get('/api/support/settlements', ({ request }) => {
      asked.push(new URL(request.url).search);
      return ok({
        from: '2026-10-22',
        to: '2026-11-21',
        days,
        open_lines: lines,
        open_differences: differences,
        acknowledged_differences: known,
      });
    }),
    mock.get('/api/support/me', () => ok({ id: 's1', name: 'Asha', email: 'asha@example.in', role })),
    mock.get('/api/support/settlements/payu/2026-11-20', () => ok({ day, lines: [line, waiting] })),
  );
  return { ...renderRoutes(<SettlementsPage />, { at }), asked };
}

test('a day that agrees says so and opens its lines up to the transfer', async () => {
  const { user } = open([day]);
  expect(await screen.findByText('Agrees with the books')).toBeVisible();
  expect(
    screen.getByText(/^₹1,59,300 received, ₹0 refunded, ₹3,186 fees and ₹573.48 GST on them, ₹1,55,540.52 paid out/),
  ).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Show the 2 lines of 20 Nov 2026, PayU' }));
  const lines = await screen.findByRole('table', { name: 'Lines of 20 Nov 2026, PayU' });
  expect(within(lines).getAllByRole('link', { name: 'FP261120AAAA' })[0]).toHaveAttribute(
    'href',
    '/support/payments/FP261120AAAA',
  );
  expect(
    within(lines).getByRole('row', {
      name: /Payment ₹1,59,300 ₹3,186 ₹573.48 ₹1,55,540.52 PAYUN52026112000001 Booked/,
    }),
  ).toBeVisible();
  expect(within(lines).getByRole('row', { name: /Refund .* – The refund is on its way/ })).toBeVisible();
  expect(await accessibilityFaults(document.body)).toEqual([]);
});

test('each difference says what it means and what both sides hold', async () => {
  const cleared = { ...difference, id: 'd2', transaction_id: 'FP261120CCCC', cleared_at: '2026-11-21T05:40:00Z' };
  const { asked } = open([{ ...day, differences: [difference, cleared] }]);
  expect(await screen.findByText('1 difference')).toBeVisible();
  expect(
    screen.getByRole('row', {
      name: /^FP261120BBBB 20 Nov 2026, PayU The gateway settled a capture of which nobody told us. ₹0 ₹14,750 .* Open$/,
    }),
  ).toBeVisible();
  fireEvent.change(screen.getByLabelText('From'), { target: { value: '2026-11-01' } });
  await waitFor(() => expect(asked.at(-1)).toBe('?from=2026-11-01'));
  expect(screen.getByText('1 difference')).toBeVisible();
});

test('shows open items of any day above the listed days', async () => {
  open([], { lines: [waiting], differences: [difference] });
  expect(await screen.findByText('1 other line is not in the books yet.')).toBeVisible();
  expect(
    within(screen.getByRole('table', { name: 'Open lines' })).getByRole('row', {
      name: /20 Nov 2026, PayU FP261120AAAA Refund .*The refund is on its way/,
    }),
  ).toBeVisible();
  expect(
    within(screen.getByRole('table', { name: 'Open differences' })).getByRole('link', { name: 'FP261120BBBB' }),
  ).toBeVisible();
  expect(screen.queryByRole('button', { name: /Compare/ })).toBeNull();
  expect(await accessibilityFaults(document.body)).toEqual([]);
});

test('a difference stands once: above, and neither with its day nor among the lines', async () => {
  const differs = { ...waiting, transaction_id: 'FP261120BBBB', waits_for: difference.meaning };
  open([{ ...day, differences: [difference] }], { lines: [differs], differences: [difference] });
  expect(await screen.findByText('1 difference')).toBeVisible();
  expect(screen.getAllByText(difference.meaning)).toHaveLength(1);
  expect(screen.queryByText(/not in the books yet/)).toBeNull();
});

test('a gateway that is not used has no card for each day', async () => {
  const nothing = {
    ...day,
    gateway: 'razorpay',
    lines: 0,
    captured_paise: 0,
    fee_paise: 0,
    tax_paise: 0,
    net_paise: 0,
  };
  open([day, nothing, { ...nothing, day: '2026-11-19' }]);
  expect(await screen.findByRole('heading', { name: '20 Nov 2026, PayU' })).toBeVisible();
  expect(screen.getAllByRole('listitem')).toHaveLength(1);
  expect(screen.getByText('Razorpay settled nothing in these days.')).toBeVisible();
});

test('an admin has a day compared again, with a reason', async () => {
  const bodies: unknown[] = [];
  const { user } = open([day], { role: 'admin' });
  server.use(
    mock.post(
      '/api/support/settlements/payu/2026-11-20/compare',
      keeping(bodies, { message: 'The settlement is being compared.', job_id: 7 }),
    ),
  );
  await user.click(await screen.findByRole('button', { name: 'Compare again 20 Nov 2026, PayU' }));
  const dialog = await screen.findByRole('dialog', { name: 'Compare 20 Nov 2026, PayU again?' });
  await user.click(within(dialog).getByRole('button', { name: 'Compare again' }));
  expect(await within(dialog).findByRole('alert')).toHaveTextContent('Please say why');
  await user.type(within(dialog).getByLabelText('Reason'), 'The refund is done now');
  await user.click(within(dialog).getByRole('button', { name: 'Compare again' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(bodies).toEqual([{ reason: 'The refund is done now' }]);
});

test('distinguishes an empty list from a report that failed to load', async () => {
  open([]);
  expect(await screen.findByText(/^Each night the day’s settlement/)).toBeVisible();
  server.use(
    mock.get('/api/support/settlements', () =>
      refused(500, { message: 'Server error! Please try again later.', code: 'internal', request_id: 'r-1' }),
    ),
  );
  renderRoutes(<SettlementsPage />);
  expect(await screen.findByRole('button', { name: /Retry|Try again/ })).toBeVisible();
  expect(screen.getByText(/r-1/)).toBeVisible();
});

const twice: SettlementDifference = {
  ...difference,
  id: 'd3',
  kind: 'settled_twice',
  meaning: 'The gateway settled the same capture in another line before.',
  can_acknowledge: true,
};

test('an admin acknowledges what nothing will ever clear, with a reason', async () => {
  const bodies: unknown[] = [];
  const { user } = open([], { role: 'admin', differences: [difference, twice] });
  server.use(
    mock.post(
      '/api/support/settlement-differences/d3/acknowledge',
      keeping(bodies, { ...twice, can_acknowledge: false }),
    ),
  );
  const buttons = await screen.findAllByRole('button', { name: 'Acknowledge FP261120BBBB' });
  expect(buttons).toHaveLength(1);
  await user.click(buttons[0] as HTMLElement);
  const dialog = await screen.findByRole('dialog', { name: 'Acknowledge the difference of FP261120BBBB?' });
  expect(dialog).toHaveTextContent('Our books have ₹0, the gateway ₹14,750. Nothing is booked by this');
  await user.type(within(dialog).getByLabelText('Reason'), 'The gateway confirmed it as it is');
  await user.click(within(dialog).getByRole('button', { name: 'Acknowledge' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(bodies).toEqual([{ reason: 'The gateway confirmed it as it is' }]);
});

test('shows the sum of the unrequested adjustments', async () => {
  const taken: SettlementDifference = {
    ...twice,
    id: 'd5',
    kind: 'adjustment',
    transaction_id: 'ADJ_1',
    ours_paise: 0,
    theirs_paise: -49900,
  };
  open([{ ...day, differences: [taken] }], { differences: [taken] });
  expect(await screen.findByText(/1 adjustment of -₹499/)).toBeVisible();
  expect(screen.queryByRole('link', { name: 'ADJ_1' })).toBeNull();
});

test('what was acknowledged says by whom and why, and support is not offered to do it', async () => {
  const kept = {
    ...twice,
    id: 'd4',
    can_acknowledge: false,
    acknowledged: { at: '2026-11-21T05:30:00Z', by: 'Sunita', reason: 'Settled by hand' },
  };
  open([{ ...day, differences: [kept] }], { differences: [twice], known: [kept] });
  expect(await screen.findByText('Agrees with the books')).toBeVisible();
  expect(
    within(screen.getByRole('table', { name: 'Acknowledged differences, which stay' })).getByRole('row', {
      name: /Acknowledged by Sunita .*: Settled by hand$/,
    }),
  ).toBeVisible();
  expect(screen.queryByRole('button', { name: /Acknowledge/ })).toBeNull();
  expect(await accessibilityFaults(document.body)).toEqual([]);
});
