import { queryOptions } from '@tanstack/react-query';
import { api, data } from '@/lib/api/client';
import { startSession } from './session';

/** `GET /session`: the user who is signed in according to the server; the screens' session follows it. The client has handled a 401 before it arrives here. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }) => {
    const answer = await data(api.GET('/session', { signal }));
    startSession(answer['franchiser-user']);
    return answer;
  },
  staleTime: 60_000,
});
