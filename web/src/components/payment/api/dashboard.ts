import { queryOptions } from '@tanstack/react-query';
import { api, data } from '@/lib/api/client';

/** `GET /subscription/dashboard`: the subscription, the store and the add-ons. Another tab may change them. */
export const dashboardQuery = queryOptions({
  queryKey: ['dashboard'],
  queryFn: ({ signal }) => data(api.GET('/subscription/dashboard', { signal })),
  refetchOnWindowFocus: 'always',
});
