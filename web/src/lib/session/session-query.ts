import { queryOptions } from '@tanstack/react-query';
import { api, data } from '@/lib/api/client';

/** `GET /session`: who the server says is signed in. A 401 has been handled by the client before it arrives here. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => data(api.GET('/session', { signal })),
  staleTime: 60_000,
  meta: { quiet: true },
});
