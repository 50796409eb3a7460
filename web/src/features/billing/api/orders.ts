import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, envelope } from '@/lib/api/client';
import type { ListQuery } from '../list';

/** `GET /subscription/list`: a page of the orders, newest first. Another tab may pay them. */
export const ordersQuery = (query: ListQuery) =>
  queryOptions({
    queryKey: ['orders', query],
    queryFn: ({ signal }) => envelope(api.GET('/subscription/list', { params: { query }, signal })),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: 'always',
  });
