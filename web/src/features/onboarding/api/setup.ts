import { queryOptions } from '@tanstack/react-query';
import { api, data } from '@/lib/api/client';

/** `GET /subscription/dashboard`, of which the welcome screen shows how far the set-up has come. */
export const setupQuery = queryOptions({
  queryKey: ['dashboard'],
  queryFn: ({ signal }) => data(api.GET('/subscription/dashboard', { signal })),
});
