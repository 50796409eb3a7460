import type { RouteObject } from 'react-router';
import { ErrorPage, RootErrorPage } from './error-page';
import { SiteLayout } from './layout/site-layout';
import { NotFoundPage } from './not-found-page';
import { Root } from './root';
import { accountRoutes, handOffRoutes } from './routes/account';
import { doorRoutes, onboardingRoutes } from './routes/onboarding';
import { publicRoutes } from './routes/public';
import { supportRoutes } from './routes/support';
import { withData } from './routes/with-data';

/**
 * Every route of the site. Paths match regardless of case, and with or without a trailing slash;
 * each page is a separate chunk, loaded when it is opened.
 */
export const routes: RouteObject[] = [
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
              withData([...doorRoutes, ...onboardingRoutes, ...accountRoutes]),
              { path: '*', element: <NotFoundPage />, handle: { translated: true } },
            ],
          },
        ],
      },
      withData([...handOffRoutes, ...supportRoutes]),
    ],
  },
];
