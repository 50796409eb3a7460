import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, envelope } from '@/lib/api/client';
import type { ListQuery } from '../list';

/** `GET /subscription/payments/list`: a page of the payments, newest first. */
export const paymentsQuery = (query: ListQuery) =>
  queryOptions({
    queryKey: ['payments', query],
    queryFn: ({ signal }) => envelope(api.GET('/subscription/payments/list', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
