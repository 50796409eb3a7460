import { queryOptions } from '@tanstack/react-query';
import { api, data } from '@/lib/api/client';

/**
 * `POST /profile/search-address`: suggestions for what is typed; nothing is asked for nothing. The session is no part of the
 * key: what was found once needs no second call.
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
    meta: { quiet: true },
  });
}
