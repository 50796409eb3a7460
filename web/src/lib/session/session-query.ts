import { queryOptions } from '@tanstack/react-query';
import { api, data } from '@/lib/api/client';

/** `GET /session`: the user who is signed in according to the server. The client has handled a 401 before it arrives here. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => data(api.GET('/session', { signal })),
  staleTime: 60_000,
});
