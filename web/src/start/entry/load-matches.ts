import { matchRoutes, type RouteObject } from 'react-router';

/** Loads the chunks of the routes that an address leads to, so that its first render is complete. */
export async function loadMatches(routes: RouteObject[], pathname: string, base = ''): Promise<void> {
  const matches = matchRoutes(routes, pathname, base || '/') ?? [];
  await Promise.all(
    matches.map(async ({ route }) => {
      if (typeof route.lazy !== 'function') return;
      const loaded = await route.lazy();
      Object.assign(route, { ...loaded, lazy: undefined });
    }),
  );
}
