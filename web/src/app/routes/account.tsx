import type { RouteObject } from 'react-router';
import { guard } from './guard';

/** Plan choice, for everybody, and the account area: checkout results, plan dashboard, billing, store, profile. */
export const accountRoutes: RouteObject[] = [
  {
    path: 'plan/:keyA/:keyB/:keyC',
    lazy: async () => ({
      Component: (await import('@/features/plan-choice/components/plan-choice-page')).PlanChoicePage,
    }),
  },
  {
    lazy: guard('RequireAuth'),
    children: [
      {
        path: 'checkout/result/success',
        lazy: async () => ({ Component: (await import('@/features/checkout/components/result-page')).ResultPage }),
      },
      {
        path: 'checkout/result/failed',
        lazy: async () => ({ Component: (await import('@/features/checkout/components/result-page')).ResultPage }),
      },
      {
        lazy: async () => ({ Component: (await import('../layout/account-layout')).AccountLayout }),
        children: [
          {
            path: 'account',
            lazy: async () => ({ Component: (await import('@/features/account/components/account-page')).AccountPage }),
          },
          {
            path: 'account/security',
            lazy: async () => ({
              Component: (await import('@/features/account/components/security-page')).SecurityPage,
            }),
          },
          {
            path: 'subscription_list',
            lazy: async () => ({ Component: (await import('@/features/billing/components/billing-page')).BillingPage }),
          },
          {
            path: 'subscription_store',
            lazy: async () => ({
              Component: (await import('@/features/dashboard/components/store-page')).SubscriptionStorePage,
            }),
          },
          {
            lazy: guard('RequireActive'),
            children: [
              {
                lazy: guard('RequireStore'),
                children: [
                  {
                    path: 'dashboard',
                    lazy: async () => ({
                      Component: (await import('@/features/dashboard/components/dashboard-page')).DashboardPage,
                    }),
                  },
                ],
              },
            ],
          },
        ],
      },
    ],
  },
];

/** The step between this site and the gateway, a page without the site's frame. */
export const handOffRoutes: RouteObject[] = [
  {
    lazy: guard('RequireAuth'),
    children: [
      {
        path: 'checkout/pay',
        lazy: async () => ({ Component: (await import('@/features/checkout/components/hand-off-page')).HandOffPage }),
      },
    ],
  },
];
