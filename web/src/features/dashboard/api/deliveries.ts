import { queryOptions } from '@tanstack/react-query';
import { api, data } from '@/lib/api/client';

/** `GET /deliveries`: what the customer gets for each bought feature and add-on. */
export const deliveriesQuery = queryOptions({
  queryKey: ['dashboard', 'deliveries'],
  queryFn: async ({ signal }) => (await data(api.GET('/deliveries', { signal }))).deliveries,
  meta: { quiet: true },
});
