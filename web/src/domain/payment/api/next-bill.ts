import { queryOptions } from '@tanstack/react-query';
import { api, data } from '@/lib/api/client';

/** `GET /subscription/renewals`: the next bill, null if there is nothing to renew. */
export const nextBillQuery = queryOptions({
  queryKey: ['next-bill'],
  queryFn: ({ signal }) => data(api.GET('/subscription/renewals', { signal })),
});
