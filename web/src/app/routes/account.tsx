import type { RouteObject } from 'react-router';
import { guard } from './guard';

/** What only the owner of the account opens. */
const ownerRoutes: RouteObject[] = [
  {
    path: 'account',
    lazy: async () => ({ Component: (await import('@/features/account/components/account-page')).AccountPage }),
  },
  {
    path: 'account/team',
    lazy: async () => ({ Component: (await import('@/features/team/components/team-page')).TeamPage }),
  },
  {
    path: 'account/security',
    lazy: async () => ({
      Component: (await import('@/features/account/components/security-page')).SecurityPage,
    }),
  },
  {
    path: 'requests',
    lazy: async () => ({ Component: (await import('@/features/requests/components/requests-page')).RequestsPage }),
  },
  {
    path: 'requests/:id',
    lazy: async () => ({ Component: (await import('@/features/requests/components/request-page')).RequestPage }),
  },
  {
    path: 'notifications',
    lazy: async () => ({
      Component: (await import('@/features/notifications/components/notifications-page')).NotificationsPage,
    }),
  },
  {
    path: 'subscription_list/:transactionId',
    lazy: async () => ({ Component: (await import('@/features/billing/components/order-page')).OrderPage }),
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
        path: 'dashboard/change-plan',
        lazy: async () => ({
          Component: (await import('@/features/plan-change/components/plan-change-page')).PlanChangePage,
        }),
      },
      {
        path: 'dashboard/automatic-renewal',
        lazy: async () => ({
          Component: (await import('@/features/dashboard/components/automatic-renewal-page')).AutomaticRenewalPage,
        }),
      },
      {
        path: 'deliveries',
        lazy: async () => ({
          Component: (await import('@/features/dashboard/components/deliveries-page')).DeliveriesPage,
        }),
      },
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
];

/** The plan choice, open to everybody, and the account area: checkout results, dashboard, billing, store, profile. */
export const accountRoutes: RouteObject[] = [
  {
    path: 'plan/:keyA/:keyB/:keyC',
    handle: { translated: true },
    lazy: async () => ({
      Component: (await import('@/features/plan-choice/components/plan-choice-page')).PlanChoicePage,
    }),
  },
  {
    // Handles the log-in itself: the token in the fragment must not reach the URL of another page.
    path: 'account/confirm-email',
    handle: { translated: true },
    lazy: async () => ({
      Component: (await import('@/features/account/components/confirm-email-page')).ConfirmEmailPage,
    }),
  },
  {
    // The link of a reminder: who has it pays, with or without an account.
    path: 'p/:code',
    handle: { translated: true },
    lazy: async () => ({ Component: (await import('@/features/pay-link/components/pay-link-page')).PayLinkPage }),
  },
  {
    // The link that tells of a change of a lost mobile: who has it stops the change, without a log-in.
    path: 'stop/:code',
    handle: { translated: true },
    lazy: async () => ({
      Component: (await import('@/features/stop-change/components/stop-change-page')).StopChangePage,
    }),
  },
  {
    path: 'stop-reminders/:token',
    handle: { translated: true },
    lazy: async () => ({
      Component: (await import('@/features/notifications/components/stop-reminders-page')).StopRemindersPage,
    }),
  },
  {
    // Shows the invitation to anybody with the link; accepting it requires a log-in.
    path: 'team/:code',
    handle: { translated: true },
    lazy: async () => ({
      Component: (await import('@/features/team/components/invitation-page')).InvitationPage,
    }),
  },
  {
    handle: { translated: true },
    lazy: guard('RequireAuth'),
    children: [
      {
        lazy: guard('RequireOwner'),
        children: [
          {
            path: 'checkout/result/success',
            lazy: async () => ({ Component: (await import('@/features/checkout/components/result-page')).ResultPage }),
          },
          {
            path: 'checkout/result/failed',
            lazy: async () => ({ Component: (await import('@/features/checkout/components/result-page')).ResultPage }),
          },
        ],
      },
      {
        // Where connected systems send a browser to learn who is signed in.
        path: 'connect',
        lazy: async () => ({ Component: (await import('@/features/connect/components/connect-page')).ConnectPage }),
      },
      {
        lazy: guard('RequireStoreRole'),
        children: [
          {
            // From the sign-in of a store's own host, for people without the store's password.
            path: 'open-store',
            lazy: async () => ({
              Component: (await import('@/features/account/components/open-store-page')).OpenStorePage,
            }),
          },
        ],
      },
      {
        path: 'accounts',
        lazy: async () => ({ Component: (await import('@/features/team/components/accounts-page')).AccountsPage }),
      },
      {
        lazy: async () => ({ Component: (await import('../layout/account-layout')).AccountLayout }),
        children: [
          {
            lazy: guard('RequireBilling'),
            children: [
              {
                path: 'subscription_list',
                lazy: async () => ({
                  Component: (await import('@/features/billing/components/billing-page')).BillingPage,
                }),
              },
              {
                path: 'subscription_list/transfers/:id',
                lazy: async () => ({
                  Component: (await import('@/features/billing/components/transfer-page')).TransferPage,
                }),
              },
            ],
          },
          {
            lazy: guard('RequireStoreRole'),
            children: [
              {
                path: 'account/store',
                lazy: async () => ({
                  Component: (await import('@/features/account/components/managed-store-page')).ManagedStorePage,
                }),
              },
            ],
          },
          { lazy: guard('RequireOwner'), children: ownerRoutes },
        ],
      },
    ],
  },
];
/** Buying, and the step between this site and the gateway: pages without the site's layout. */
export const handOffRoutes: RouteObject[] = [
  {
    path: 'buy/:keyA/:keyB/:keyC',
    lazy: async () => ({ Component: (await import('../layout/buying-door')).BuyingDoor }),
  },
  {
    lazy: guard('RequireAuth'),
    children: [
      {
        lazy: guard('RequireOwner'),
        children: [
          {
            path: 'checkout/pay',
            lazy: async () => ({
              Component: (await import('@/features/checkout/components/hand-off-page')).HandOffPage,
            }),
          },
        ],
      },
    ],
  },
];
