import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { keeping, mock, ok, page, server } from '@/testing/server';
import { EInvoicesPage } from './e-invoices-page';
const refused = {
  id: 'n1',
  customer_id: 'c1',
  kind: 'invoice',
  number: 'FP/27-28/000007',
  issued_at: '2027-04-21T05:30:00Z',
  name: 'Asha Sweets LLP',
  gstin: '29AAPFU0939F1ZR',
  total_paise: 1_59_300_00,
  state: 'refused',
  tries: 1,
  code: '3028',
  message: 'Buyer GSTIN is invalid',
  irn: '',
  ack_no: '',
  acknowledged_at: null,
  asked_at: '2027-04-21T05:30:02Z',
};

function open(role: string, rows: object[], counts: object = {}, at = '/') {
  server.use(
    mock.get('/api/support/me', () => ok({ id: 's1', name: 'Sunita', email: 'sunita@example.in', role })),
    mock.get('/api/support/e-invoices/counts', () =>
      ok({ registering: true, waiting: 0, refused: 1, unsigned: 0, cancelled: 0, ...counts }),
    ),
    mock.get('/api/support/e-invoices', () => page(rows)),
  );
  return renderRoutes(<EInvoicesPage />, { at });
}

test('an admin asks again for a refused registration, with a reason', async () => {
  const bodies: unknown[] = [];
  server.use(mock.post('/api/support/e-invoices/n1/register', keeping(bodies, null, 'The portal is asked again.')));
  const { user, container } = open('admin', [refused]);
  expect(await screen.findByText(/Buyer GSTIN is invalid \(3028\)/)).toBeVisible();
  expect(screen.getByRole('option', { name: 'Refused (1)' })).toBeInTheDocument();
  expect(await accessibilityFaults(container)).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Ask again' }));
  await user.type(await screen.findByLabelText('Reason'), 'It is active now');
  await user.click(screen.getAllByRole('button', { name: 'Ask again' }).at(-1)!);
  await waitFor(() => expect(bodies).toEqual([{ reason: 'It is active now' }]));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
});

test('support reads the refusal and is offered nothing', async () => {
  open('support', [refused, { ...refused, id: 'n2', state: 'registered', code: '', message: '', irn: 'a'.repeat(64) }]);
  expect(await screen.findByText('a'.repeat(64))).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Ask again' })).not.toBeInTheDocument();
});

test('says that nothing is registered where that is so', async () => {
  open('support', [], { registering: false, refused: 0 });
  expect(await screen.findByText(/EINVOICE_FROM is not set/)).toBeVisible();
  expect(screen.getByText('Nothing here')).toBeVisible();
});
