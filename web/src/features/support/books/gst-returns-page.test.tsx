import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { mock, ok, page, server } from '@/testing/server';
import type { GstReturn } from '../api/help';
import { GstReturnsPage } from './gst-returns-page';
const sound: GstReturn = {
  month: '2026-10',
  gstin: '27AAPFU0939F1ZV',
  over: true,
  sound: true,
  tables: [
    { table: 'b2b', documents: 2, taxable_paise: 2_70_000_00, cgst_paise: 0, sgst_paise: 0, igst_paise: 48_600_00 },
    { table: 'at', documents: 0, taxable_paise: 0, cgst_paise: 0, sgst_paise: 0, igst_paise: 0 },
  ],
  books: [{ name: 'IGST', return_paise: 48_600_00, other_paise: 48_600_00, differs: false }],
  codes: [],
  hsn: [
    {
      table: 'hsn_b2b',
      sac: '998315',
      rate_bps: 1800,
      documents: 2,
      taxable_paise: 2_70_000_00,
      cgst_paise: 0,
      sgst_paise: 0,
      igst_paise: 48_600_00,
    },
  ],
  series: [{ kind: 'invoice', from: 'F/26-27/000001', to: 'F/26-27/000003', issued: 2, lost: 1, cancelled: 0 }],
  cancelled: [],
  problems: [],
};

function returns(role: string, shown: GstReturn, at = '/') {
  const asked: string[] = [];
  server.use(
    mock.get('/api/support/me', () => ok({ id: 's1', name: 'Sunita', email: 'sunita@example.in', role })),
    mock.get('/api/support/gst-returns', () => ok(['2026-11', '2026-10'])),
    mock.get('/api/support/gst-returns/{month}', ({ params }) => {
      asked.push(String(params.month));
      return ok({ ...shown, month: String(params.month) });
    }),
    mock.get('/api/support/gst-returns/{month}/documents', ({ request }) => {
      asked.push(new URL(request.url).search);
      return page([
        {
          id: 'i1',
          customer_id: 'c1',
          kind: 'invoice',
          number: 'F/26-27/000001',
          date: '2026-10-21',
          name: 'Asha Sweets LLP',
          gstin: '29AAPFU0939F1ZR',
          place_of_supply: '29',
          original_number: '',
          total_paise: 1_59_300_00,
        },
      ]);
    }),
  );
  return { asked, ...renderRoutes(<GstReturnsPage />, { at }) };
}

test('an admin sees last month’s return agree with the books, looks behind a figure and takes the file out', async () => {
  const { asked, user, container } = returns('admin', sound);
  expect(await screen.findByText(/It can be downloaded and filed/)).toBeVisible();
  expect(asked).toEqual(['2026-10']);
  expect(await screen.findByRole('link', { name: 'Download for the portal' })).toHaveAttribute(
    'href',
    '/api/support/gst-returns/2026-10/file',
  );
  expect(screen.getByRole('link', { name: 'CSV of 4: to recipients with a GSTIN' })).toHaveAttribute(
    'href',
    '/api/support/gst-returns/2026-10/file?table=b2b',
  );
  const numbers = within(screen.getByRole('table', { name: 'Numbers' }));
  expect(numbers.getByRole('row', { name: /Invoices F\/26-27\/000001 F\/26-27\/000003 2 1/ })).toBeVisible();
  await user.click(screen.getByRole('link', { name: '2 documents of 4: to recipients with a GSTIN' }));
  expect(await screen.findByRole('link', { name: 'Asha Sweets LLP' })).toHaveAttribute('href', '/support/customers/c1');
  expect(screen.getByRole('heading', { name: 'Documents of 4: to recipients with a GSTIN' })).toHaveFocus();
  expect(asked.at(-1)).toBe('?table=b2b&page=1');
  expect(screen.getByRole('button', { name: 'Open the PDF of F/26-27/000001' })).toBeVisible();
  expect(await accessibilityFaults(container)).toEqual([]);
});

test('a return that differs says so, and is held back', async () => {
  returns('admin', {
    ...sound,
    sound: false,
    books: [{ name: 'IGST', return_paise: 48_600_00, other_paise: 48_000_00, differs: true }],
    problems: ['F/26-27/000002 has no place of supply'],
  });
  expect(await screen.findByText(/It differs from the books/)).toBeVisible();
  expect(screen.getByText('F/26-27/000002 has no place of supply.')).toBeVisible();
  expect(screen.getByRole('row', { name: /IGST.*₹600/ })).toBeVisible();
  expect(screen.queryByRole('link', { name: /Download|CSV/ })).toBeNull();
});

test('support looks at a month, the current one too, and takes nothing out', async () => {
  const { asked } = returns('support', { ...sound, over: false }, '/?month=2026-11');
  expect(await screen.findByText(/when the month is over/)).toBeVisible();
  expect(asked).toEqual(['2026-11']);
  expect(screen.getByLabelText('Month')).toHaveValue('2026-11');
  expect(screen.queryByRole('link', { name: /Download|CSV/ })).toBeNull();
});

test('a row of table 12 leads to its documents, and tables 12 and 13 are taken out too', async () => {
  const { asked, user, container } = returns('admin', sound);
  const codes = within(await screen.findByRole('table', { name: 'Service codes' }));
  expect(codes.getByRole('row', { name: /With a GSTIN 998315 18% .*₹2,70,000.*₹48,600/ })).toBeVisible();
  expect(screen.getByRole('link', { name: 'CSV of table 12 for others' })).toHaveAttribute(
    'href',
    '/api/support/gst-returns/2026-10/file?table=hsn_b2c',
  );
  expect(screen.getByRole('link', { name: 'CSV of table 13' })).toHaveAttribute(
    'href',
    '/api/support/gst-returns/2026-10/file?table=docs',
  );
  await user.click(screen.getByRole('link', { name: '2 documents of 12: 998315 at 18%, with a GSTIN' }));
  expect(await screen.findByRole('heading', { name: 'Documents of 12: 998315 at 18%, with a GSTIN' })).toHaveFocus();
  expect(asked.at(-1)).toBe('?table=hsn_b2b&sac=998315&rate_bps=1800&page=1');
  expect(await accessibilityFaults(container)).toEqual([]);
});

test('a return says which documents it leaves out since they were cancelled at the portal', async () => {
  returns('finance', {
    ...sound,
    series: [{ kind: 'invoice', from: 'F/26-27/000001', to: 'F/26-27/000003', issued: 2, lost: 1, cancelled: 1 }],
    cancelled: ['F/26-27/000003'],
  });
  expect(await screen.findByText(/^Left out, because .*F\/26-27\/000003\. Table 13/)).toBeVisible();
  expect(screen.getByRole('row', { name: /F\/26-27\/000001.*2$/ })).toBeVisible();
});
