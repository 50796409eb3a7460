import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { mock, ok, page, server } from '@/testing/server';
import { TdsPage } from './tds-page';

const done = <Data,>(data: Data) => ok(data, 'It is noted.');

const tax = {
  id: 't1',
  customer_id: 'f1',
  customer_name: 'Asha Sweets LLP',
  proforma: 'PF/26-27/000001',
  invoice_number: 'FP/26-27/000001',
  kind: 'income_tax',
  code: '1027',
  section: '393(1) Sl. 6(iii)',
  tan: '',
  pan: 'AAPFU0939F',
  base_paise: 1_35_000_00,
  rate_bps: 1000,
  amount_paise: 13_500_00,
  tax_year: '2026-27',
  quarter: 3,
  state: 'claimed',
  shown_paise: null,
  certificate: '',
  age_days: 130,
  difference_paise: 0,
  created_at: '2026-11-25T05:30:00Z',
};

test('records the state of deducted tax with its TAN and amount', async () => {
  const bodies: unknown[] = [];
  server.use(
    mock.get('/api/support/me', () => done({ id: 's1', name: 'Meera', email: 'meera@example.in', role: 'finance' })),
    mock.get('/api/support/tds', () => page([tax])),
    mock.post('/api/support/tds/t1', async ({ request }) => {
      bodies.push(await request.json());
      return done(tax);
    }),
  );
  const { user, container } = renderRoutes([{ path: '/', element: <TdsPage /> }], { at: '/?late=true' });
  expect(await screen.findByText('130 days')).toBeVisible();
  expect(await accessibilityFaults(container)).toEqual([]);
  expect(screen.getByRole('link', { name: 'Download CSV' })).toHaveAttribute(
    'href',
    '/api/support/tds/export?late=true',
  );
  await user.click(screen.getByRole('button', { name: /^Note/ }));
  const dialog = await screen.findByRole('dialog');
  await user.selectOptions(within(dialog).getByLabelText('State'), 'in_form_168');
  await user.type(within(dialog).getByLabelText('Form 168 shows, in rupees'), '13,500');
  await user.type(within(dialog).getByLabelText('TAN of the deductor'), 'MUMA12345B');
  await user.type(within(dialog).getByLabelText('Reason'), 'Seen in Form 168');
  await user.click(within(dialog).getByRole('button', { name: 'Note it' }));
  await waitFor(() =>
    expect(bodies).toEqual([
      {
        state: 'in_form_168',
        tan: 'MUMA12345B',
        pan: 'AAPFU0939F',
        certificate: '',
        shown_paise: 13_500_00,
        reason: 'Seen in Form 168',
      },
    ]),
  );
});

test('GST that was deducted is looked for in the GST portal, and too much is not called missing', async () => {
  const gst = {
    ...tax,
    kind: 'gst',
    code: '51',
    rate_bps: 200,
    amount_paise: 2_700_00,
    state: 'in_form_168',
    pan: '',
    shown_paise: 2_800_00,
    difference_paise: -100_00,
  };
  server.use(
    mock.get('/api/support/me', () => done({ id: 's1', name: 'Meera', email: 'meera@example.in', role: 'finance' })),
    mock.get('/api/support/tds', () => page([gst])),
  );
  const { user } = renderRoutes([{ path: '/', element: <TdsPage /> }]);
  expect(await screen.findByRole('cell', { name: /In the GST portal/ })).toBeVisible();
  expect(screen.getByText('₹100 too much')).toBeVisible();
  expect(screen.getByText('No PAN yet')).toBeVisible();
  await user.click(screen.getByRole('button', { name: /Note/ }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByLabelText('The GST portal shows (TDS and TCS credit received), in rupees')).toHaveValue('2800.00');
  expect(dialog.getByLabelText('Number of the certificate (GSTR-7A)')).toBeVisible();
  expect(dialog.queryByText(/Form 168|Form 131/)).toBeNull();
});
