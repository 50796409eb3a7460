import type { RouteObject } from 'react-router';

/** Wraps routes that call the server in the layout that holds the query client, loaded with the first of them. */
export function withData(children: RouteObject[]): RouteObject {
  return {
    handle: { sources: ['src/app/data-layout.tsx'] },
    lazy: async () => ({ Component: (await import('../data-layout')).DataLayout }),
    children,
  };
}
