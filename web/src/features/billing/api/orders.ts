import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, envelope } from '@/lib/api/client';
import type { ListQuery } from '../list';
import type { OrderRow } from '../words';

/** `GET /subscription/list`: a page of the orders, newest first. Another tab may pay them. */
export const ordersQuery = (query: ListQuery) =>
  queryOptions({
    queryKey: ['orders', query],
    queryFn: ({ signal }) => envelope(api.GET('/subscription/list', { params: { query }, signal })),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: 'always',
  });

async function newerThan(id: string, page: number, signal: AbortSignal): Promise<OrderRow[]> {
  const query = { page, per_page: 100 };
  const { data: rows, last_page: last } = await envelope(api.GET('/subscription/list', { params: { query }, signal }));
  const at = rows.findIndex((row) => row.id === id);
  if (at >= 0) return rows.slice(0, at);
  return page < last ? [...rows, ...(await newerThan(id, page + 1, signal))] : rows;
}

/** The orders that are newer than an order, newest first. It reads pages until it finds the order. */
export const newerOrdersQuery = (id: string) =>
  queryOptions({
    queryKey: ['orders', 'newer', id],
    queryFn: ({ signal }) => newerThan(id, 1, signal),
    meta: { toast: 'error' },
  });
