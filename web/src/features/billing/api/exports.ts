import { api, envelope } from '@/lib/api/client';
import { nameOfFile, type NamedFile } from '@/lib/save-file';

interface Answer {
  data?: Blob | string;
  error?: unknown;
  response: Response;
}

/** An export under the server's name for it. */
async function csvFile(call: Promise<Answer>, otherwise: string): Promise<NamedFile> {
  await envelope(call);
  const { data, response } = await call;
  const blob = data instanceof Blob ? data : new Blob([data ?? ''], { type: 'text/csv' });
  return { blob, name: nameOfFile(response, otherwise) };
}

/** `GET /subscription/list/export`: all matching orders as CSV. */
export const exportOrders = (search: string | undefined) =>
  csvFile(api.GET('/subscription/list/export', { params: { query: { search } }, parseAs: 'blob' }), 'orders.csv');

/** `GET /subscription/payments/list/export`: all matching payments as CSV. */
export const exportPayments = (search: string | undefined) =>
  csvFile(
    api.GET('/subscription/payments/list/export', { params: { query: { search } }, parseAs: 'blob' }),
    'payments.csv',
  );
