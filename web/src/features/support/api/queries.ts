import { queryOptions } from '@tanstack/react-query';
import { getMe, inPlace, search } from './support';

/** What the console asks, with the names under which the answers are kept; all begin with "support". */
export const meQuery = queryOptions({
  ...inPlace,
  queryKey: ['support', 'me'],
  queryFn: getMe,
  retry: false,
  staleTime: 60_000,
});
export const searchQuery = (q: string) =>
  queryOptions({
    ...inPlace,
    queryKey: ['support', 'search', q],
    queryFn: ({ signal }) => search(q, signal),
    enabled: q !== '',
  });
export { boardQuery as queuesQuery } from './jobs';
