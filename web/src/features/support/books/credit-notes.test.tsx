import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { keeping, mock, ok, page, server } from '@/testing/server';
import type { Trail } from '../api/help';
import { CreditNotesPage } from './credit-notes-page';
import { Documents } from '../money/trail-parts';
const staff = (role: string) =>
  mock.get('/api/support/me', () => ok({ id: 's1', name: 'Sunita', email: 'sunita@example.in', role }));
const payment = { id: 'p1', customer_id: 'c1' } as Trail['payment'];
const note: Trail['documents'][number] = {
  id: 'n1',
  kind: 'credit_note',
  number: 'CN/26-27/000007',
  total_paise: 11_800_00,
  issued_at: '2026-11-20T09:01:30Z',
  refund_id: '',
  input_tax: { state: 'unknown', history: [] },
};
const row = {
  id: 'n1',
  customer_id: 'c1',
  number: 'CN/26-27/000007',
  issued_at: '2026-11-20T09:01:30Z',
  name: 'Asha Sweets LLP',
  gstin: '29AAPFU0939F1ZR',
  taxable_paise: 10_000_00,
  tax_paise: 1_800_00,
  total_paise: 11_800_00,
  transaction_id: 'FP1',
  state: 'refused',
  evidence: 'Rejected in IMS',
  recorded_by: 'Sunita',
  recorded_at: '2026-11-21T05:30:00Z',
};

function documents(role: string, change: Partial<typeof note> = {}) {
  server.use(staff(role));
  return renderRoutes(
    <Documents of={[{ ...note, ...change }]} payment={payment} now={Date.parse('2026-11-21T06:00:00Z')} />,
  );
}

test('an admin records that a recipient refused, with the evidence, and reads what that does', async () => {
  const bodies: unknown[] = [];
  const { user } = documents('admin');
  server.use(
    mock.post(
      '/api/support/credit-notes/n1/input-tax',
      keeping(bodies, { state: 'refused', history: [] }, 'It is told what follows.'),
    ),
  );
  await user.click(await screen.findByRole('button', { name: 'Record what they did about CN/26-27/000007' }));
  const dialog = await screen.findByRole('dialog', { name: 'What did the recipient of CN/26-27/000007 do?' });
  expect(within(dialog).queryByRole('radio', { checked: true })).toBeNull();
  await user.click(within(dialog).getByRole('radio', { name: 'Not reversed: refused' }));
  expect(dialog).toHaveTextContent('Its GST is owed again and booked as our own expense');
  await user.type(within(dialog).getByLabelText('Reason'), 'Rejected in IMS');
  await user.click(within(dialog).getByRole('button', { name: 'Record: Not reversed: refused' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(bodies).toEqual([{ customer_id: 'c1', state: 'refused', evidence: 'Rejected in IMS' }]);
  expect(await screen.findByText('It is told what follows.')).toBeVisible();
});

test('what was recorded stays, and support reads it only', async () => {
  documents('support', {
    input_tax: {
      state: 'reversed',
      history: [
        { state: 'refused', evidence: 'Rejected in IMS', by: 'Sunita', at: '2026-11-20T10:00:00Z' },
        { state: 'reversed', evidence: 'Their letter', by: 'Ravi', at: '2026-11-21T05:00:00Z' },
      ],
    },
  });
  const section = await screen.findByRole('region', { name: 'Input tax credit of CN/26-27/000007' });
  expect(section).toHaveTextContent('Input tax credit: Reversed');
  expect(within(section).getAllByRole('listitem')[0]).toHaveTextContent(
    /^Not reversed: refused, says Sunita .*: Rejected in IMS$/,
  );
  expect(screen.queryByRole('button', { name: /Record/ })).toBeNull();
});

test('a document without input tax credit says nothing of it', () => {
  documents('admin', { input_tax: null });
  expect(screen.queryByText(/Input tax credit/)).toBeNull();
});

test('the list names recipient, tax and what is known, of one state or of all', async () => {
  const asked: string[] = [];
  server.use(
    staff('admin'),
    mock.get('/api/support/credit-notes', ({ request }) => {
      asked.push(new URL(request.url).search);
      return page([row]);
    }),
  );
  const { user, container } = renderRoutes(<CreditNotesPage />);
  const found = (await screen.findByRole('link', { name: 'CN/26-27/000007' })).closest('tr');
  expect(found).toHaveTextContent(
    /^CN\/26-27\/000007Asha Sweets LLP, 29AAPFU0939F1ZR.*₹1,800₹11,800Not reversed: refused: Rejected in IMS \(Sunita\)$/,
  );
  await user.selectOptions(screen.getByLabelText('Input tax credit'), 'Not reversed: refused');
  await waitFor(() => expect(asked.at(-1)).toContain('state=refused'));
  expect(await screen.findByRole('link', { name: 'Download CSV' })).toHaveAttribute(
    'href',
    '/api/support/credit-notes/export?state=refused',
  );
  expect(await accessibilityFaults(container)).toEqual([]);
});
