import { queryOptions } from '@tanstack/react-query';
import type { ComponentType } from 'react';

/**
 * A component as a query, for code that is loaded on demand: prefetched on hover and focus; if the network fails,
 * the failure is shown with a Retry button, as for any other data.
 */
export const codeQuery = <Props extends object>(name: string, load: () => Promise<ComponentType<Props>>) =>
  queryOptions({
    queryKey: ['code', name],
    queryFn: async () => ({ Part: await load() }),
    staleTime: Infinity,
    gcTime: Infinity,
    meta: { quiet: true, public: true },
  });
