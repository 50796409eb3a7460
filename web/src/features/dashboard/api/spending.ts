import { queryOptions } from '@tanstack/react-query';
import { api, envelope } from '@/lib/api/client';
import { dashboardQuery } from '@/domain/payment/api/dashboard';

/** Number of newest payments fetched for the chart. */
const LOOKED_AT = 50;

/** `GET /subscription/payments/list`: the newest payments, for the spend chart. */
export const spendingQuery = queryOptions({
  queryKey: [...dashboardQuery.queryKey, 'spending'],
  queryFn: async ({ signal }) =>
    (await envelope(api.GET('/subscription/payments/list', { params: { query: { per_page: LOOKED_AT } }, signal })))
      .data,
});
