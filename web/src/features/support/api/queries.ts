import { queryOptions } from '@tanstack/react-query';
import { data } from '@/lib/api/client';
import { read } from './call';
import { client, supportKey } from './support';

/** The staff member who is signed in. */
export const meQuery = read('/api/support/me', {}, { retry: false, staleTime: 60_000 });
/** Searches; `all` requests the server's longest list. */
export const searchQuery = (q: string, all = false) =>
  queryOptions({
    queryKey: [...supportKey, 'search', q, all],
    queryFn: ({ signal }) =>
      data(client.GET('/api/support/search', { params: { query: { q, ...(all && { all }) } }, signal })),
    enabled: q !== '',
  });
export const releaseQuery = read('/healthz', {}, { retry: false, staleTime: 60_000 });
