import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import axe from 'axe-core';
import { createMemoryRouter, RouterProvider, useLocation, type RouteObject } from 'react-router';
import { Toasts } from '@/ui/toasts';
import { createQueryClient } from '@/lib/api/query-client';
import type { components } from '@/lib/api/schema.gen';
import { sessionQuery } from '@/lib/session/session-query';

/** The address to which a screen navigated, and the state that it passed. */
function Elsewhere() {
  const { pathname, search, state } = useLocation();
  return (
    <p data-testid="address" data-state={JSON.stringify(state)}>
      {pathname + search}
    </p>
  );
}

export interface RenderOptions {
  /** The address to open; by default the first route's path. */
  at?: string;
  state?: unknown;
  /** What the server has answered about the user; it is fetched again after a change, as the application does. */
  session?: components['schemas']['SignedIn'];
}

function SessionCheck() {
  useQuery(sessionQuery);
  return null;
}

/** Renders routes as the application does; any other address is shown in `data-testid="address"`. */
export function renderRoutes(routes: RouteObject[], { at, state, session }: RenderOptions = {}) {
  const start = at ?? `/${(routes[0]?.path ?? '').replace(/^\//, '')}`;
  const [path = '', hash] = start.split('#');
  const [pathname, search] = path.split('?');
  const router = createMemoryRouter([...routes, { path: '*', element: <Elsewhere /> }], {
    initialEntries: [{ pathname, search: search ? `?${search}` : '', hash: hash ? `#${hash}` : '', state }],
  });
  const queryClient = createQueryClient();
  queryClient.setDefaultOptions({ queries: { retry: false } });
  if (session) queryClient.setQueryData(sessionQuery.queryKey, session);
  const user = userEvent.setup();
  const view = render(
    <QueryClientProvider client={queryClient}>
      {session && <SessionCheck />}
      <RouterProvider router={router} />
      <Toasts />
    </QueryClientProvider>,
  );
  return { ...view, user, router, queryClient };
}

/** The accessibility rules that the screen breaks, except for colours, which the browser tests check. */
export async function accessibilityFaults(root: Element): Promise<string[]> {
  const { violations } = await axe.run(root, {
    rules: { 'color-contrast': { enabled: false }, region: { enabled: false } },
  });
  return violations.map((violation) => `${violation.id}: ${violation.nodes.map((node) => node.html).join(' | ')}`);
}
