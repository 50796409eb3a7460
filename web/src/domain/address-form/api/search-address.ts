import { queryOptions } from '@tanstack/react-query';
import { api, data } from '@/lib/api/client';

/**
 * `POST /profile/search-address`: suggestions for the typed text; an empty text makes no call. The session is not in
 * the key, so a search that was already answered is not repeated.
 */
export function addressSearchQuery(typed: string, session: string) {
  const address = typed.trim().toLowerCase();
  // eslint-disable-next-line @tanstack/query/exhaustive-deps -- what a session found is as good in the next one, and each call is billed.
  return queryOptions({
    queryKey: ['address-search', address],
    queryFn: ({ signal }) => data(api.POST('/profile/search-address', { body: { address, session }, signal })),
    enabled: address !== '',
    staleTime: 300_000,
    retry: false,
  });
}
