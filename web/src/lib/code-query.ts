import { queryOptions } from '@tanstack/react-query';
import type { ComponentType } from 'react';

/**
 * A component as a query, for code that nobody needs before they reach for it: prefetched on hover and focus, and
 * where the network fails it says so and offers Retry like everything else that is asked for.
 */
export const codeQuery = <Props extends object>(name: string, load: () => Promise<ComponentType<Props>>) =>
  queryOptions({
    queryKey: ['code', name],
    queryFn: async () => ({ Part: await load() }),
    staleTime: Infinity,
    gcTime: Infinity,
    meta: { quiet: true, public: true },
  });
