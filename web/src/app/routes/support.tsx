import type { RouteObject } from 'react-router';

/** The support console, with its own layout; loaded only by staff. */
export const supportRoutes: RouteObject[] = [
  {
    path: 'support/login',
    lazy: async () => ({ Component: (await import('@/features/support/staff/login-page')).SupportLoginPage }),
  },
  {
    path: 'support/join',
    lazy: async () => ({ Component: (await import('@/features/support/staff/join-page')).JoinPage }),
  },
  {
    lazy: async () => ({ Component: (await import('@/features/support/shell/console-frame')).ConsoleFrame }),
    children: [
      {
        path: 'support',
        lazy: async () => ({ Component: (await import('@/features/support/shell/home-page')).SupportHomePage }),
      },
      {
        path: 'support/customers',
        lazy: async () => ({ Component: (await import('@/features/support/customers/customers-page')).CustomersPage }),
      },
      {
        path: 'support/customers/:id',
        lazy: async () => ({ Component: (await import('@/features/support/customers/customer-page')).CustomerPage }),
      },
      {
        path: 'support/customers/:id/account',
        lazy: async () => ({
          Component: (await import('@/features/support/customers/customer-account-page')).CustomerAccountPage,
        }),
      },
      {
        path: 'support/customers/:id/time-machine',
        lazy: async () => ({
          Component: (await import('@/features/support/clock/time-machine-page')).TimeMachinePage,
        }),
      },
      {
        path: 'support/customers/:id/deliveries/:delivery',
        lazy: async () => ({ Component: (await import('@/features/support/deliveries/delivery-page')).DeliveryPage }),
      },
      {
        path: 'support/deliveries',
        lazy: async () => ({
          Component: (await import('@/features/support/deliveries/deliveries-page')).DeliveriesPage,
        }),
      },
      {
        path: 'support/accounts',
        lazy: async () => ({
          Component: (await import('@/features/support/staff/accounts-page')).AccountsPage,
        }),
      },
      {
        path: 'support/figures',
        lazy: async () => ({ Component: (await import('@/features/support/figures/figures-page')).FiguresPage }),
      },
      {
        path: 'support/mobiles/:mobile',
        lazy: async () => ({
          Component: (await import('@/features/support/customers/customer-mobile-page')).MobilePage,
        }),
      },
      {
        path: 'support/catalogue',
        lazy: async () => ({
          Component: (await import('@/features/support/catalogue/catalogue-page')).CataloguePage,
        }),
      },
      {
        path: 'support/catalogue/:id',
        lazy: async () => ({
          Component: (await import('@/features/support/catalogue/catalogue-change-page')).CatalogueChangePage,
        }),
      },
      {
        path: 'support/announcements',
        lazy: async () => ({
          Component: (await import('@/features/support/announcements/announcements-page')).AnnouncementsPage,
        }),
      },
      {
        path: 'support/money',
        lazy: async () => ({ Component: (await import('@/features/support/money/money-page')).MoneyPage }),
      },
      {
        path: 'support/payments/:payment',
        lazy: async () => ({ Component: (await import('@/features/support/money/trail-page')).TrailPage }),
      },
      {
        path: 'support/approvals',
        lazy: async () => ({
          Component: (await import('@/features/support/money/customer-reversals-page')).ReversalsPage,
        }),
      },
      {
        path: 'support/transfers',
        lazy: async () => ({
          Component: (await import('@/features/support/transfers/transfers-page')).TransfersPage,
        }),
      },
      {
        path: 'support/tds',
        lazy: async () => ({ Component: (await import('@/features/support/books/tds-page')).TdsPage }),
      },
      {
        path: 'support/settlements',
        lazy: async () => ({
          Component: (await import('@/features/support/books/settlements-page')).SettlementsPage,
        }),
      },
      {
        path: 'support/credit-notes',
        lazy: async () => ({
          Component: (await import('@/features/support/books/credit-notes-page')).CreditNotesPage,
        }),
      },
      {
        path: 'support/e-invoices',
        lazy: async () => ({
          Component: (await import('@/features/support/books/e-invoices-page')).EInvoicesPage,
        }),
      },
      {
        path: 'support/gst-returns',
        lazy: async () => ({
          Component: (await import('@/features/support/books/gst-returns-page')).GstReturnsPage,
        }),
      },
      {
        path: 'support/audit',
        lazy: async () => ({ Component: (await import('@/features/support/staff/audit-page')).AuditPage }),
      },
      {
        path: 'support/staff',
        lazy: async () => ({ Component: (await import('@/features/support/staff/staff-page')).StaffPage }),
      },
      {
        path: 'support/account',
        lazy: async () => ({
          Component: (await import('@/features/support/staff/own-account-page')).OwnAccountPage,
        }),
      },
      {
        path: 'support/jobs',
        lazy: async () => ({ Component: (await import('@/features/support/jobs/jobs-page')).JobsPage }),
      },
      {
        path: 'support/queues',
        lazy: async () => ({ Component: (await import('@/features/support/jobs/queues-page')).QueuesPage }),
      },
      {
        path: 'support/alerts',
        lazy: async () => ({ Component: (await import('@/features/support/alerts/alerts-page')).AlertsPage }),
      },
      {
        path: 'support/runbooks/:name',
        lazy: async () => ({ Component: (await import('@/features/support/alerts/runbook-page')).RunbookPage }),
      },
      {
        path: 'support/invariants',
        lazy: async () => ({
          Component: (await import('@/features/support/books/books-check-page')).BooksCheckPage,
        }),
      },
      {
        path: 'support/connected',
        lazy: async () => ({
          Component: (await import('@/features/support/connected/connected-page')).ConnectedPage,
        }),
      },
      {
        path: 'support/search',
        lazy: async () => ({ Component: (await import('@/features/support/shell/search-page')).SearchPage }),
      },
      {
        path: 'support/contacts',
        lazy: async () => ({ Component: (await import('@/features/support/contacts/contacts-page')).ContactsPage }),
      },
      {
        path: 'support/contacts/:id',
        lazy: async () => ({
          Component: (await import('@/features/support/contacts/contact-page')).ContactRequestPage,
        }),
      },
      {
        path: 'support/contact-macros',
        lazy: async () => ({ Component: (await import('@/features/support/contacts/macros-page')).MacrosPage }),
      },
    ],
  },
];
