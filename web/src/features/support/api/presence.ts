import { queryOptions } from '@tanstack/react-query';
import { data } from '@/lib/api/client';
import { client, supportKey } from './support';

/** Each page sends three heartbeats per presence lease. */
const PRESENCE_MS = 15_000;

/** Says that the page is open, and learns which colleagues have it open too. */
export const presenceQuery = (page: string) =>
  queryOptions({
    queryKey: [...supportKey, 'presence', page],
    queryFn: () => data(client.POST('/api/support/presence', { body: { page } })),
    refetchInterval: PRESENCE_MS,
    retry: false,
  });

/** Learns which colleagues have any of the pages open. */
export const lookersQuery = (pages: string[]) =>
  queryOptions({
    queryKey: [...supportKey, 'lookers', pages],
    queryFn: () => data(client.GET('/api/support/presence', { params: { query: { pages: pages.join(',') } } })),
    refetchInterval: PRESENCE_MS,
    enabled: pages.length > 0,
    retry: false,
  });
