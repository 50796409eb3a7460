import { api } from '@/lib/api/client';
import { csvFile } from '../csv';

/** `GET /subscription/payments/list/export`: all matching payments as CSV. */
export function exportPayments(search: string | undefined) {
  return csvFile(
    api.GET('/subscription/payments/list/export', { params: { query: { search } }, parseAs: 'blob' }),
    'payments.csv',
  );
}
