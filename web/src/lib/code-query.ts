import { queryOptions } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import { serverAnswers } from './online';
import { reloadPage } from './reload';

/** The names of what could not be fetched since the page was loaded. */
const failed = new Set<string>();

/**
 * A component as a query, for code that is loaded on demand: prefetched on hover and focus. If the network fails, the failure is shown with
 * a Retry button, as for any other data. Browsers do not refetch a script that failed to load, so the retry reloads the page once the
 * server answers.
 */
export const codeQuery = <Props extends object>(name: string, load: () => Promise<ComponentType<Props>>) =>
  queryOptions({
    queryKey: ['code', name],
    queryFn: async ({ signal }) => {
      try {
        return { Part: await load() };
      } catch (error) {
        if (failed.has(name) && (await serverAnswers(signal))) reloadPage();
        failed.add(name);
        throw error;
      }
    },
    staleTime: Infinity,
    gcTime: Infinity,
    meta: { public: true },
  });
