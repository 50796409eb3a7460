import { queryOptions } from '@tanstack/react-query';
import { api, data } from '@/lib/api/client';

/** `POST /profile/search-address`: suggestions for what is typed; nothing is asked for nothing. */
export function addressSearchQuery(typed: string) {
  const address = typed.trim().toLowerCase();
  return queryOptions({
    queryKey: ['address-search', address],
    queryFn: ({ signal }) => data(api.POST('/profile/search-address', { body: { address }, signal })),
    enabled: address !== '',
    staleTime: 300_000,
    retry: false,
    meta: { quiet: true },
  });
}
