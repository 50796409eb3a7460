import { screen } from '@testing-library/react';
import { startSession } from '@/lib/session/session';
import { franchiserUser } from '@/testing/factories';
import { nextBill, pageOf, paymentRow } from '@/testing/payment-factories';
import { renderRoutes } from '@/testing/render';
import { answer } from '@/testing/server';
import { delivery, ids, ownedAddOn, subscription, tenant } from '@/testing/subscription-factories';
import { DashboardPage } from './dashboard-page';
import { DeliveriesPage } from './deliveries-page';
import { SubscriptionStorePage } from './store-page';

export const routes = [
  { path: 'dashboard', element: <DashboardPage /> },
  { path: 'deliveries', element: <DeliveriesPage /> },
  { path: 'subscription_store', element: <SubscriptionStorePage /> },
];

export function signIn() {
  startSession(franchiserUser({ is_active: true, has_store_details: true, store_name: 'Asha Sweets' }));
}

interface SetupOptions {
  sub?: Parameters<typeof subscription>[0];
  ten?: Parameters<typeof tenant>[0];
  addOns?: ReturnType<typeof ownedAddOn>[];
  held?: { transaction_id: string; amount: string }[];
  confirming?: { transaction_id: string; amount: string }[];
  connected?: { label: string; url: string } | null;
  deliveries?: ReturnType<typeof delivery>[];
  at?: string;
}

export function setup({
  sub,
  ten,
  addOns = [ownedAddOn()],
  held = [],
  confirming = [],
  connected = null,
  deliveries = [],
  at = '/dashboard',
}: SetupOptions = {}) {
  answer('get', '/subscription/dashboard', {
    subscription: subscription(sub),
    tenant: tenant(ten),
    connected_dashboard: connected,
    add_ons_services: addOns,
    held_payments: held,
    confirming_payments: confirming,
  });
  answer('get', '/subscription/renewals', nextBill());
  answer('get', '/deliveries', { deliveries });
  answer('get', '/subscription/automatic-renewal', {
    offered: false,
    opens_on: '-',
    subscription_id: null,
    choices: [],
    mandate: null,
    replacement: null,
    debits: [],
  });
  answer(
    'get',
    '/subscription/payments/list',
    [paymentRow(), paymentRow({ id: ids.order, payable_total: '₹14,750', payment_date: '2026-10-21T05:30:00Z' })],
    'Payments.',
    pageOf(2),
  );
  return renderRoutes(routes, { at });
}

export const card = (name: string) => screen.findByRole('region', { name });
