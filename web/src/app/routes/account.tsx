import type { RouteObject } from 'react-router';
import { guard } from './guard';
import { screen } from './screen';

/** What only the owner of the account opens. */
const ownerRoutes: RouteObject[] = [
  screen('account', () => import('@/features/account/components/account-page'), 'AccountPage'),
  screen('account/team', () => import('@/features/team/components/team-page'), 'TeamPage'),
  screen('account/security', () => import('@/features/account/components/security-page'), 'SecurityPage'),
  screen('requests', () => import('@/features/requests/components/requests-page'), 'RequestsPage'),
  screen('requests/:id', () => import('@/features/requests/components/request-page'), 'RequestPage'),
  screen('notifications', () => import('@/features/notifications/components/notifications-page'), 'NotificationsPage'),
  screen('subscription_list/:transactionId', () => import('@/features/billing/components/order-page'), 'OrderPage'),
  screen('subscription_store', () => import('@/features/dashboard/components/store-page'), 'SubscriptionStorePage'),
  {
    lazy: guard('RequireActive'),
    children: [
      screen(
        'dashboard/change-plan',
        () => import('@/features/plan-change/components/plan-change-page'),
        'PlanChangePage',
      ),
      screen(
        'dashboard/automatic-renewal',
        () => import('@/features/dashboard/components/automatic-renewal-page'),
        'AutomaticRenewalPage',
      ),
      screen('deliveries', () => import('@/features/dashboard/components/deliveries-page'), 'DeliveriesPage'),
      {
        lazy: guard('RequireStore'),
        children: [
          screen('dashboard', () => import('@/features/dashboard/components/dashboard-page'), 'DashboardPage'),
        ],
      },
    ],
  },
];

/** The plan choice, open to everybody, and the account area: checkout results, dashboard, billing, store, profile. */
export const accountRoutes: RouteObject[] = [
  screen(
    'plan/:keyA/:keyB/:keyC',
    () => import('@/features/plan-choice/components/plan-choice-page'),
    'PlanChoicePage',
  ),
  // Handles the log-in itself: the token in the fragment must not reach the URL of another page.
  screen('account/confirm-email', () => import('@/features/account/components/confirm-email-page'), 'ConfirmEmailPage'),
  // The link of a reminder: who has it pays, with or without an account.
  screen('p/:code', () => import('@/features/pay-link/components/pay-link-page'), 'PayLinkPage'),
  // The link that tells of a change of a lost mobile: who has it stops the change, without a log-in.
  screen('stop/:code', () => import('@/features/stop-change/components/stop-change-page'), 'StopChangePage'),
  screen(
    'stop-reminders/:token',
    () => import('@/features/notifications/components/stop-reminders-page'),
    'StopRemindersPage',
  ),
  // Shows the invitation to anybody with the link; accepting it requires a log-in.
  screen('team/:code', () => import('@/features/team/components/invitation-page'), 'InvitationPage'),
  {
    lazy: guard('RequireAuth'),
    children: [
      {
        lazy: guard('RequireOwner'),
        children: [
          screen('checkout/result/success', () => import('@/features/checkout/components/result-page'), 'ResultPage'),
          screen('checkout/result/failed', () => import('@/features/checkout/components/result-page'), 'ResultPage'),
        ],
      },
      // Where connected systems send a browser to learn who is signed in.
      screen('connect', () => import('@/features/connect/components/connect-page'), 'ConnectPage'),
      {
        lazy: guard('RequireStoreRole'),
        children: [
          // From the sign-in of a store's own host, for people without the store's password.
          screen('open-store', () => import('@/features/account/components/open-store-page'), 'OpenStorePage'),
        ],
      },
      screen('accounts', () => import('@/features/team/components/accounts-page'), 'AccountsPage'),
      {
        lazy: async () => ({ Component: (await import('../layout/account-layout')).AccountLayout }),
        children: [
          {
            lazy: guard('RequireBilling'),
            children: [
              screen('subscription_list', () => import('@/features/billing/components/billing-page'), 'BillingPage'),
              screen(
                'subscription_list/transfers/:id',
                () => import('@/features/billing/components/transfer-page'),
                'TransferPage',
              ),
            ],
          },
          {
            lazy: guard('RequireStoreRole'),
            children: [
              screen(
                'account/store',
                () => import('@/features/account/components/managed-store-page'),
                'ManagedStorePage',
              ),
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
  screen('buy/:keyA/:keyB/:keyC', () => import('../layout/buying-door'), 'BuyingDoor'),
  {
    lazy: guard('RequireAuth'),
    children: [
      {
        lazy: guard('RequireOwner'),
        children: [screen('checkout/pay', () => import('@/features/checkout/components/hand-off-page'), 'HandOffPage')],
      },
    ],
  },
];
