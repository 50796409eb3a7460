import type { RouteObject } from 'react-router';

/** The support console, with its own layout; loaded only by staff. */
export const supportRoutes: RouteObject[] = [
  {
    path: 'support/login',
    lazy: async () => ({ Component: (await import('@/features/support/components/login-page')).SupportLoginPage }),
  },
  {
    path: 'support/join',
    lazy: async () => ({ Component: (await import('@/features/support/components/join-page')).JoinPage }),
  },
  {
    lazy: async () => ({ Component: (await import('@/features/support/components/console-frame')).ConsoleFrame }),
    children: [
      {
        path: 'support',
        lazy: async () => ({ Component: (await import('@/features/support/components/home-page')).SupportHomePage }),
      },
      {
        path: 'support/customers/:id',
        lazy: async () => ({ Component: (await import('@/features/support/components/customer-page')).CustomerPage }),
      },
      {
        path: 'support/customers/:id/account',
        lazy: async () => ({
          Component: (await import('@/features/support/components/customer-account-page')).CustomerAccountPage,
        }),
      },
      {
        path: 'support/customers/:id/time-machine',
        lazy: async () => ({
          Component: (await import('@/features/support/components/time-machine-page')).TimeMachinePage,
        }),
      },
      {
        path: 'support/customers/:id/deliveries/:delivery',
        lazy: async () => ({ Component: (await import('@/features/support/components/delivery-page')).DeliveryPage }),
      },
      {
        path: 'support/deliveries',
        lazy: async () => ({
          Component: (await import('@/features/support/components/deliveries-page')).DeliveriesPage,
        }),
      },
      {
        path: 'support/accounts',
        lazy: async () => ({
          Component: (await import('@/features/support/components/accounts-page')).AccountsPage,
        }),
      },
      {
        path: 'support/figures',
        lazy: async () => ({ Component: (await import('@/features/support/components/figures-page')).FiguresPage }),
      },
      {
        path: 'support/mobiles/:mobile',
        lazy: async () => ({
          Component: (await import('@/features/support/components/customer-mobile-page')).MobilePage,
        }),
      },
      {
        path: 'support/catalogue',
        lazy: async () => ({
          Component: (await import('@/features/support/components/catalogue-page')).CataloguePage,
        }),
      },
      {
        path: 'support/catalogue/:id',
        lazy: async () => ({
          Component: (await import('@/features/support/components/catalogue-change-page')).CatalogueChangePage,
        }),
      },
      {
        path: 'support/announcements',
        lazy: async () => ({
          Component: (await import('@/features/support/components/announcements-page')).AnnouncementsPage,
        }),
      },
      {
        path: 'support/money',
        lazy: async () => ({ Component: (await import('@/features/support/components/money-page')).MoneyPage }),
      },
      {
        path: 'support/payments/:payment',
        lazy: async () => ({ Component: (await import('@/features/support/components/trail-page')).TrailPage }),
      },
      {
        path: 'support/approvals',
        lazy: async () => ({
          Component: (await import('@/features/support/components/customer-reversals-page')).ReversalsPage,
        }),
      },
      {
        path: 'support/transfers',
        lazy: async () => ({
          Component: (await import('@/features/support/components/transfers-page')).TransfersPage,
        }),
      },
      {
        path: 'support/tds',
        lazy: async () => ({ Component: (await import('@/features/support/components/tds-page')).TdsPage }),
      },
      {
        path: 'support/settlements',
        lazy: async () => ({
          Component: (await import('@/features/support/components/settlements-page')).SettlementsPage,
        }),
      },
      {
        path: 'support/credit-notes',
        lazy: async () => ({
          Component: (await import('@/features/support/components/credit-notes-page')).CreditNotesPage,
        }),
      },
      {
        path: 'support/e-invoices',
        lazy: async () => ({
          Component: (await import('@/features/support/components/e-invoices-page')).EInvoicesPage,
        }),
      },
      {
        path: 'support/gst-returns',
        lazy: async () => ({
          Component: (await import('@/features/support/components/gst-returns-page')).GstReturnsPage,
        }),
      },
      {
        path: 'support/audit',
        lazy: async () => ({ Component: (await import('@/features/support/components/audit-page')).AuditPage }),
      },
      {
        path: 'support/staff',
        lazy: async () => ({ Component: (await import('@/features/support/components/staff-page')).StaffPage }),
      },
      {
        path: 'support/account',
        lazy: async () => ({
          Component: (await import('@/features/support/components/own-account-page')).OwnAccountPage,
        }),
      },
      {
        path: 'support/jobs',
        lazy: async () => ({ Component: (await import('@/features/support/components/jobs-page')).JobsPage }),
      },
      {
        path: 'support/queues',
        lazy: async () => ({ Component: (await import('@/features/support/components/queues-page')).QueuesPage }),
      },
      {
        path: 'support/alerts',
        lazy: async () => ({ Component: (await import('@/features/support/components/alerts-page')).AlertsPage }),
      },
      {
        path: 'support/invariants',
        lazy: async () => ({
          Component: (await import('@/features/support/components/books-check-page')).BooksCheckPage,
        }),
      },
      {
        path: 'support/connected',
        lazy: async () => ({
          Component: (await import('@/features/support/components/connected-page')).ConnectedPage,
        }),
      },
      {
        path: 'support/search',
        lazy: async () => ({ Component: (await import('@/features/support/components/search-page')).SearchPage }),
      },
      {
        path: 'support/contacts',
        lazy: async () => ({ Component: (await import('@/features/support/components/contacts-page')).ContactsPage }),
      },
      {
        path: 'support/contacts/:id',
        lazy: async () => ({
          Component: (await import('@/features/support/components/contact-page')).ContactRequestPage,
        }),
      },
      {
        path: 'support/contact-macros',
        lazy: async () => ({ Component: (await import('@/features/support/components/macros-page')).MacrosPage }),
      },
    ],
  },
];
