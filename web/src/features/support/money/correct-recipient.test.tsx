import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { keeping, mock, ok, server } from '@/testing/server';
import type { Customer } from '../api/customers';
import { CorrectRecipient } from './correct-recipient';
import { OpenDocument } from './open-document';

const show = (element: React.ReactElement) => renderRoutes(element);

test('a document opens in another tab', async () => {
  const open = vi.spyOn(window, 'open').mockReturnValue(null);
  server.use(
    mock.get('/api/support/customers/c1/invoices/i1', () =>
      ok({ url: 'https://documents.example/a.pdf', number: 'FP/26-27/000042', expires_at: '2026-11-21T05:35:00Z' }),
    ),
  );
  const user = userEvent.setup();
  show(<OpenDocument customer="c1" invoice="i1" number="FP/26-27/000042" />);
  await user.click(screen.getByRole('button', { name: 'Open the PDF of FP/26-27/000042' }));
  await waitFor(() => expect(open).toHaveBeenCalledWith('https://documents.example/a.pdf', '_blank', 'noopener'));
  open.mockRestore();
});
test('checks the recipient of an invoice field by field, and previews the correction before the request', async () => {
  const bodies: unknown[] = [];
  server.use(
    mock.post(
      '/api/support/acts/preview',
      keeping(bodies, {
        facts: [{ name: 'New invoice over', value: '₹1,59,300' }],
        amount_paise: 0,
        needs_approval: true,
      }),
    ),
  );
  const user = userEvent.setup();
  const customer = { id: 'c1', name: 'Asha Sweets' } as unknown as Customer;
  const invoice = {
    id: 'i1',
    number: 'FP/26-27/000001',
    name: 'Asha Rao',
    address: '1 MG Road, Bengaluru 560001',
    state: '29',
    gstin: '',
  };
  show(<CorrectRecipient customer={customer} invoice={invoice} onClose={vi.fn()} />);
  expect(await accessibilityFaults(document.body)).toEqual([]);
  const gstin = screen.getByLabelText(/GSTIN/);
  await user.type(gstin, '27aagcb7383j1z9');
  await user.click(screen.getByRole('button', { name: 'Show what it would do' }));
  expect(screen.getByRole('alert')).toHaveTextContent('This is not a valid GSTIN.');
  expect(gstin).toHaveAccessibleDescription('Error: This is not a valid GSTIN. Check it character by character.');
  await user.clear(gstin);
  await user.type(gstin, '27aagcb7383j1z8');
  await user.click(screen.getByRole('button', { name: 'Show what it would do' }));
  expect(screen.getByRole('alert')).toHaveTextContent('This GSTIN belongs to another State.');
  await user.selectOptions(screen.getByLabelText(/State/), '27');
  await user.clear(screen.getByLabelText(/Address/));
  await user.type(screen.getByLabelText(/Address/), '1 MG Road');
  await user.click(screen.getByRole('button', { name: 'Show what it would do' }));
  expect(screen.getByRole('alert')).toHaveTextContent('Write the PIN code, too');
  await user.type(screen.getByLabelText(/Address/), ', Pune 411001');
  await user.click(screen.getByRole('button', { name: 'Show what it would do' }));
  expect(await screen.findByText('₹1,59,300')).toBeVisible();
  expect(bodies[0]).toEqual({
    kind: 'correct_recipient',
    customer_id: 'c1',
    invoice_id: 'i1',
    name: 'Asha Rao',
    address: '1 MG Road, Pune 411001',
    state_code: '27',
    gstin: '27AAGCB7383J1Z8',
  });
});
