import { queryOptions } from '@tanstack/react-query';
import { getMe, getRelease, search, supportKey } from './support';

/** The console's queries; all their keys begin with "support". */
export const meQuery = queryOptions({
  queryKey: [...supportKey, 'me'],
  queryFn: getMe,
  retry: false,
  staleTime: 60_000,
});
export const searchQuery = (q: string, all = false) =>
  queryOptions({
    queryKey: [...supportKey, 'search', q, all],
    queryFn: ({ signal }) => search(q, all, signal),
    enabled: q !== '',
  });
export const releaseQuery = queryOptions({
  queryKey: [...supportKey, 'release'],
  queryFn: getRelease,
  retry: false,
  staleTime: 60_000,
});
export { boardQuery as queuesQuery } from './jobs';
