import { queryOptions } from '@tanstack/react-query';
import { postFor, read } from './call';
import { supportKey } from './support';

/** Each page sends three heartbeats per presence lease. */
const polled = { refetchInterval: 15_000, retry: false };

/** Says that the page is open, and learns which colleagues have it open too. */
export const presenceQuery = (page: string) =>
  queryOptions({
    ...polled,
    queryKey: [...supportKey, 'presence', page],
    queryFn: () => postFor('/api/support/presence', { page }),
  });

/** Learns which colleagues have any of the pages open. */
export const lookersQuery = (pages: string[]) =>
  read('/api/support/presence', { query: { pages: pages.join(',') } }, { ...polled, enabled: pages.length > 0 });
