import { queryOptions } from '@tanstack/react-query';
import { api, data } from '@/lib/api/client';

/** `GET /subscription/dashboard`, used by the welcome screen to show the set-up progress. */
export const setupQuery = queryOptions({
  queryKey: ['dashboard'],
  queryFn: ({ signal }) => data(api.GET('/subscription/dashboard', { signal })),
  meta: { toast: 'refresh' },
});
