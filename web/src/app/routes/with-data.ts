import type { RouteObject } from 'react-router';

/** Puts routes that ask the server into the frame that holds its data, loaded with the first of them. */
export function withData(children: RouteObject[]): RouteObject {
  return { lazy: async () => ({ Component: (await import('../data-layout')).DataLayout }), children };
}
