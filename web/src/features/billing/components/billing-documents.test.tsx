import { act, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { answer, mock, refuse, server } from '@/testing/server';
import { holdWindow, opened, setup } from './billing.fixture';

holdWindow();

test('an invoice opens in a new tab and says Invoice Downloaded', async () => {
  answer('get', '/subscription/invoice/{id}', {
    invoice: 'https://files.example/1.pdf',
    invoice_number: 'FP/26-27/000042',
    state: 'ready',
    expires_at: null,
  });
  const { user } = setup();
  await user.click(await screen.findByRole('button', { name: 'Download invoice FP/26-27/000042, PDF' }));
  await waitFor(() => expect(opened.location.replace).toHaveBeenCalledWith('https://files.example/1.pdf'));
  expect(opened.opener).toBeNull();
  expect(await screen.findByText('Invoice Downloaded')).toBeVisible();
});

test('a blocked window leaves a link to the invoice', async () => {
  vi.spyOn(window, 'open').mockReturnValue(null);
  answer('get', '/subscription/invoice/{id}', {
    invoice: 'https://files.example/1.pdf',
    invoice_number: 'FP/26-27/000042',
    state: 'ready',
    expires_at: null,
  });
  const { user } = setup();
  await user.click(await screen.findByRole('button', { name: /^Download invoice/ }));
  expect(await screen.findByRole('link', { name: 'Open FP/26-27/000042' })).toHaveAttribute(
    'href',
    'https://files.example/1.pdf',
  );
});

test('an invoice in the making is awaited, and said to be ready', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  answer('get', '/subscription/invoice/{id}', {
    invoice: null,
    invoice_number: 'FP/26-27/000042',
    state: 'preparing',
    expires_at: null,
  });
  const { user } = setup();
  await user.click(await screen.findByRole('button', { name: /^Download invoice/ }));
  expect(await screen.findByText('Your invoice is being prepared.')).toBeVisible();
  await waitFor(() => expect(opened.close).toHaveBeenCalled());
  answer('get', '/subscription/invoice/{id}', {
    invoice: 'https://files.example/1.pdf',
    invoice_number: 'FP/26-27/000042',
    state: 'ready',
    expires_at: null,
  });
  await act(() => vi.advanceTimersByTimeAsync(2100));
  expect(await screen.findByText('Your invoice is ready.')).toBeVisible();
});

test('an invoice that is not there says why', async () => {
  refuse('get', '/subscription/invoice/{id}', 409, {
    code: 'invoice_unavailable',
    message: 'There is no invoice for an unpaid payment.',
  });
  const { user } = setup();
  await user.click(await screen.findByRole('button', { name: /^Download invoice/ }));
  expect(await screen.findByRole('alert')).toHaveTextContent('There is no invoice for an unpaid payment.');
});

test('the export saves the server’s file, with the search in force', async () => {
  const link = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  URL.createObjectURL = vi.fn(() => 'blob:csv');
  URL.revokeObjectURL = vi.fn();
  let asked = '';
  server.use(
    mock.get('/subscription/list/export', ({ request }) => {
      asked = new URL(request.url).searchParams.get('search') ?? '';
      return new Response('Plan\nStart up', {
        headers: { 'Content-Type': 'text/csv', 'Content-Disposition': 'attachment; filename="orders-2026-11-21.csv"' },
      });
    }),
  );
  const { user } = setup({ at: '/subscription_list?search=start' });
  await user.click(await screen.findByRole('button', { name: 'Export CSV of all orders' }));
  await waitFor(() => expect(link).toHaveBeenCalledOnce());
  expect((link.mock.contexts[0] as HTMLAnchorElement).download).toBe('orders-2026-11-21.csv');
  expect(asked).toBe('start');
});

test('shows that the export failed', async () => {
  refuse('get', '/subscription/list/export', 503, { message: 'Please try again in a minute.' });
  const { user } = setup();
  await user.click(await screen.findByRole('button', { name: 'Export CSV of all orders' }));
  expect(await screen.findByText(/The export failed. Please try again in a minute./)).toBeVisible();
});
