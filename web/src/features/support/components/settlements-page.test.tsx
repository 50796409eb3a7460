import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { server } from '@/testing/server';
import type { SettlementDay } from '../api/help';
import { SettlementsPage } from './settlements-page';

const day: SettlementDay = { gateway: 'payu', day: '2026-11-20', lines: 2, captured_paise: 15930000, refunded_paise: 0, fee_paise: 318600, tax_paise: 57348, net_paise: 15554052, compared_at: '2026-11-21T05:30:00Z', differences: [] };
const line = { transaction_id: 'FP261120AAAA', gateway_payment_id: '4039', refund: false, refund_id: '', amount_paise: 15930000, fee_paise: 318600, tax_paise: 57348, net_paise: 15554052, utr: 'PAYUN52026112000001', settled_at: '2026-11-20T18:30:00Z' };
const ok = (data: object) => HttpResponse.json({ status: true, message: '', data });

function open(days: SettlementDay[], at = '/') {
  const asked: string[] = [];
  server.use(
    http.get('*/api/support/settlements', ({ request }) => {
      asked.push(new URL(request.url).search);
      return ok({ from: '2026-10-22', to: '2026-11-21', days });
    }),
    http.get('*/api/support/settlements/payu/2026-11-20', () => ok({ day, lines: [line, { ...line, refund: true, refund_id: 'R1', utr: '' }] })),
  );
  return { ...renderRoutes([{ path: '/', element: <SettlementsPage /> }], { at }), asked };
}

test('a day that agrees says so and opens its lines up to the transfer', async () => {
  const { user } = open([day]);
  expect(await screen.findByText('Agrees with the books')).toBeVisible();
  expect(screen.getByText(/^₹1,59,300 received, ₹0 refunded, ₹3,186 fees and ₹573.48 GST on them, ₹1,55,540.52 paid out/)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Show the 2 lines of 20 Nov 2026, payu' }));
  const lines = await screen.findByRole('table', { name: 'Lines of 20 Nov 2026, payu' });
  expect(within(lines).getAllByRole('link', { name: 'FP261120AAAA' })[0]).toHaveAttribute('href', '/support?q=FP261120AAAA');
  expect(within(lines).getByRole('row', { name: /Payment ₹1,59,300 ₹3,186 ₹573.48 ₹1,55,540.52 PAYUN52026112000001/ })).toBeVisible();
  expect(within(lines).getByRole('row', { name: /Refund .* –$/ })).toBeVisible();
  expect(await accessibilityFaults(document.body)).toEqual([]);
});

test('each difference says what it means and what both sides hold', async () => {
  const { asked } = open([{ ...day, differences: [{ transaction_id: 'FP261120BBBB', kind: 'not_paid_here', meaning: 'The gateway settled a capture of which nobody told us.', ours_paise: 0, theirs_paise: 1475000 }] }]);
  expect(await screen.findByText('1 difference')).toBeVisible();
  expect(screen.getByRole('row', { name: 'FP261120BBBB The gateway settled a capture of which nobody told us. ₹0 ₹14,750' })).toBeVisible();
  fireEvent.change(screen.getByLabelText('From'), { target: { value: '2026-11-01' } });
  await waitFor(() => expect(asked.at(-1)).toBe('?from=2026-11-01'));
  expect(screen.getByText('1 difference')).toBeVisible();
});

test('no day is told apart from a report that did not come', async () => {
  open([]);
  expect(await screen.findByText(/^Each night the day’s settlement/)).toBeVisible();
  server.use(http.get('*/api/support/settlements', () => HttpResponse.json({ status: false, message: 'Server error! Please try again later.', code: 'internal', request_id: 'r-1' }, { status: 500 })));
  renderRoutes([{ path: '/', element: <SettlementsPage /> }], { at: '/' });
  expect(await screen.findByRole('button', { name: /Retry|Try again/ })).toBeVisible();
  expect(screen.getByText(/r-1/)).toBeVisible();
});
