import { queryOptions } from '@tanstack/react-query';
import { api, data } from '@/lib/api/client';

/** `GET /subscription/dashboard`: the payments at which our staff look. */
export const heldPaymentsQuery = queryOptions({
  queryKey: ['dashboard', 'held'],
  queryFn: async ({ signal }) => (await data(api.GET('/subscription/dashboard', { signal }))).held_payments,
  meta: { quiet: true },
});
