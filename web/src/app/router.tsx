import type { PatchRoutesOnNavigationFunction, RouteObject } from 'react-router';
import { ErrorPage, RootErrorPage } from './error-page';
import { SiteLayout } from './layout/site-layout';
import { NotFoundPage } from './not-found-page';
import { Root } from './root';
import { accountRoutes, handOffRoutes } from './routes/account';
import { doorRoutes, onboardingRoutes } from './routes/onboarding';
import { publicRoutes } from './routes/public';
import { screen } from './routes/screen';
import { withData } from './routes/with-data';

/** The id of the route that holds the pages without the site's layout. */
const APART = 'apart';

/** The console's routes. Customers do not load them. */
export const loadConsole = async (): Promise<RouteObject[]> => (await import('./routes/support')).supportRoutes;

/** Whether an address, with or without its language, is of the console. */
export const isConsole = (path: string) => /^(\/[a-z]{2})?\/support(\/|$)/i.test(path);

/** Adds the console's routes when a user navigates to it from another page. */
export function consoleOnDemand(): PatchRoutesOnNavigationFunction {
  let added = false;
  return async ({ path, patch }) => {
    if (added || !isConsole(path)) return;
    patch(APART, await loadConsole());
    added = true;
  };
}

/** The gallery of components, in the development server only. */
const galleryRoutes: RouteObject[] =
  import.meta.env.MODE === 'development'
    ? [screen('dev/ui', () => import('@/features/gallery/components/gallery-page'), 'GalleryPage')]
    : [];

/**
 * Every route of the site, those of the console if they are given. Paths match regardless of case, and with or without a trailing slash;
 * each page is a separate chunk, loaded when it is opened.
 */
export const siteRoutes = (console: RouteObject[] = []): RouteObject[] => [
  {
    element: <Root />,
    errorElement: <RootErrorPage />,
    children: [
      {
        element: <SiteLayout />,
        children: [
          {
            errorElement: <ErrorPage />,
            children: [
              ...publicRoutes,
              withData([
                { handle: { translated: true }, children: [...doorRoutes, ...onboardingRoutes, ...accountRoutes] },
              ]),
              { path: '*', element: <NotFoundPage />, handle: { translated: true } },
            ],
          },
        ],
      },
      { ...withData([...handOffRoutes, ...console, ...galleryRoutes]), id: APART },
    ],
  },
];
