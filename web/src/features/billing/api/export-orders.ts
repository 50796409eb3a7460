import { api } from '@/lib/api/client';
import { csvFile } from '../csv';

/** `GET /subscription/list/export`: all matching orders as CSV. */
export function exportOrders(search: string | undefined) {
  return csvFile(
    api.GET('/subscription/list/export', { params: { query: { search } }, parseAs: 'blob' }),
    'orders.csv',
  );
}
