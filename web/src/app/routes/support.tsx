import type { RouteObject } from 'react-router';
import { screen } from './screen';

/** The support console, with its own layout; loaded only by staff. */
export const supportRoutes: RouteObject[] = [
  screen('support/login', () => import('@/features/support/staff/login-page'), 'SupportLoginPage'),
  screen('support/join', () => import('@/features/support/staff/join-page'), 'JoinPage'),
  {
    lazy: async () => ({ Component: (await import('@/features/support/shell/console-frame')).ConsoleFrame }),
    children: [
      screen('support', () => import('@/features/support/shell/home-page'), 'SupportHomePage'),
      screen('support/customers', () => import('@/features/support/customers/customers-page'), 'CustomersPage'),
      screen('support/customers/:id', () => import('@/features/support/customers/customer-page'), 'CustomerPage'),
      screen(
        'support/customers/:id/account',
        () => import('@/features/support/customers/customer-account-page'),
        'CustomerAccountPage',
      ),
      screen(
        'support/customers/:id/time-machine',
        () => import('@/features/support/clock/time-machine-page'),
        'TimeMachinePage',
      ),
      screen(
        'support/customers/:id/deliveries/:delivery',
        () => import('@/features/support/deliveries/delivery-page'),
        'DeliveryPage',
      ),
      screen('support/deliveries', () => import('@/features/support/deliveries/deliveries-page'), 'DeliveriesPage'),
      screen('support/accounts', () => import('@/features/support/staff/accounts-page'), 'AccountsPage'),
      screen('support/figures', () => import('@/features/support/figures/figures-page'), 'FiguresPage'),
      screen(
        'support/mobiles/:mobile',
        () => import('@/features/support/customers/customer-mobile-page'),
        'MobilePage',
      ),
      screen('support/catalogue', () => import('@/features/support/catalogue/catalogue-page'), 'CataloguePage'),
      screen(
        'support/catalogue/:id',
        () => import('@/features/support/catalogue/catalogue-change-page'),
        'CatalogueChangePage',
      ),
      screen(
        'support/announcements',
        () => import('@/features/support/announcements/announcements-page'),
        'AnnouncementsPage',
      ),
      screen('support/money', () => import('@/features/support/money/money-page'), 'MoneyPage'),
      screen('support/payments/:payment', () => import('@/features/support/money/trail-page'), 'TrailPage'),
      screen('support/approvals', () => import('@/features/support/money/customer-reversals-page'), 'ReversalsPage'),
      screen('support/transfers', () => import('@/features/support/transfers/transfers-page'), 'TransfersPage'),
      screen('support/tds', () => import('@/features/support/books/tds-page'), 'TdsPage'),
      screen('support/settlements', () => import('@/features/support/books/settlements-page'), 'SettlementsPage'),
      screen('support/credit-notes', () => import('@/features/support/books/credit-notes-page'), 'CreditNotesPage'),
      screen('support/e-invoices', () => import('@/features/support/books/e-invoices-page'), 'EInvoicesPage'),
      screen('support/gst-returns', () => import('@/features/support/books/gst-returns-page'), 'GstReturnsPage'),
      screen('support/audit', () => import('@/features/support/staff/audit-page'), 'AuditPage'),
      screen('support/staff', () => import('@/features/support/staff/staff-page'), 'StaffPage'),
      screen('support/account', () => import('@/features/support/staff/own-account-page'), 'OwnAccountPage'),
      screen('support/jobs', () => import('@/features/support/jobs/jobs-page'), 'JobsPage'),
      screen('support/queues', () => import('@/features/support/jobs/queues-page'), 'QueuesPage'),
      screen('support/alerts', () => import('@/features/support/alerts/alerts-page'), 'AlertsPage'),
      screen('support/runbooks/:name', () => import('@/features/support/alerts/runbook-page'), 'RunbookPage'),
      screen('support/invariants', () => import('@/features/support/books/books-check-page'), 'BooksCheckPage'),
      screen('support/connected', () => import('@/features/support/connected/connected-page'), 'ConnectedPage'),
      screen('support/search', () => import('@/features/support/shell/search-page'), 'SearchPage'),
      screen('support/contacts', () => import('@/features/support/contacts/contacts-page'), 'ContactsPage'),
      screen('support/contacts/:id', () => import('@/features/support/contacts/contact-page'), 'ContactRequestPage'),
      screen('support/contact-macros', () => import('@/features/support/contacts/macros-page'), 'MacrosPage'),
    ],
  },
];
