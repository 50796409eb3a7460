import { queryOptions } from '@tanstack/react-query';
import { api, data } from '@/lib/api/client';
import type { components } from '@/lib/api/schema.gen';

/** `GET /subscription/dashboard`: the subscription, the store and the add-ons. Another tab may change them. */
export const dashboardQuery = queryOptions({
  queryKey: ['dashboard'],
  queryFn: ({ signal }) => data(api.GET('/subscription/dashboard', { signal })),
  refetchOnWindowFocus: 'always',
});

/** Whether there is a plan or trial that has not ended. */
export function runs(subscription: components['schemas']['Subscription'] | null): boolean {
  return subscription !== null && subscription.state !== 'expired' && subscription.state !== 'lapsed';
}
