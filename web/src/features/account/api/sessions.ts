import { queryOptions } from '@tanstack/react-query';
import { api, data } from '@/lib/api/client';

/** `GET /profile/sessions`: where this account is signed in. */
export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => data(api.GET('/profile/sessions', { signal })),
  meta: { toast: 'refresh' },
});
