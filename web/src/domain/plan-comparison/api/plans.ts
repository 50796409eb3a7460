import { queryOptions } from '@tanstack/react-query';
import { api, data } from '@/lib/api/client';

/** `GET /subscription-plan/list`: all plans; for signed-in people with a message about their own. */
export const plansQuery = (isAuthenticated: boolean) =>
  queryOptions({
    queryKey: ['plans', { isAuthenticated }],
    queryFn: ({ signal }) => data(api.GET('/subscription-plan/list', { signal })),
    meta: { toast: 'refresh', public: !isAuthenticated },
  });
