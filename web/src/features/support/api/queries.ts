import { queryOptions } from '@tanstack/react-query';
import { getMe, getRelease, search } from './support';

/** The console's queries; all their keys begin with "support". */
export const meQuery = queryOptions({
  queryKey: ['support', 'me'],
  queryFn: getMe,
  retry: false,
  staleTime: 60_000,
});
export const searchQuery = (q: string, all = false) =>
  queryOptions({
    queryKey: ['support', 'search', q, all],
    queryFn: ({ signal }) => search(q, all, signal),
    enabled: q !== '',
  });
export const releaseQuery = queryOptions({
  queryKey: ['support', 'release'],
  queryFn: getRelease,
  retry: false,
  staleTime: 60_000,
});
export { boardQuery as queuesQuery } from './jobs';
