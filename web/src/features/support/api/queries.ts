import { queryOptions } from '@tanstack/react-query';
import { getMe, getRelease, inPlace, search } from './support';

/** The console's queries; all their keys begin with "support". */
export const meQuery = queryOptions({
  ...inPlace,
  queryKey: ['support', 'me'],
  queryFn: getMe,
  retry: false,
  staleTime: 60_000,
});
export const searchQuery = (q: string, all = false) =>
  queryOptions({
    ...inPlace,
    queryKey: ['support', 'search', q, all],
    queryFn: ({ signal }) => search(q, all, signal),
    enabled: q !== '',
  });
export const releaseQuery = queryOptions({
  ...inPlace,
  queryKey: ['support', 'release'],
  queryFn: getRelease,
  retry: false,
  staleTime: 60_000,
});
export { boardQuery as queuesQuery } from './jobs';
