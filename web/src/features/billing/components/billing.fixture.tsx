import { afterEach, beforeEach, vi } from 'vitest';
import type { Transfer } from '@/domain/payment/api/transfers';
import { startSession } from '@/lib/session/session';
import { franchiserUser } from '@/testing/factories';
import { nextBill, orderRow, pageOf, paymentRow } from '@/testing/payment-factories';
import { renderRoutes } from '@/testing/render';
import { answer } from '@/testing/server';
import { BillingPage } from './billing-page';

export const routes = [{ path: 'subscription_list', element: <BillingPage /> }];
export const opened = { location: { replace: vi.fn() }, close: vi.fn(), opener: {} };

/** Signs a customer in before each test and collects the windows it opens in `opened`. */
export function holdWindow() {
  beforeEach(() => {
    startSession(franchiserUser({ is_active: true }));
    opened.location.replace.mockReset();
    opened.close.mockReset();
    vi.spyOn(window, 'open').mockReturnValue(opened as unknown as Window);
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });
}

export function setup({
  at = '/subscription_list',
  orders = [orderRow()],
  payments = [paymentRow()],
  total = 1,
  page = 1,
  lastPage = 1,
  bill = null as ReturnType<typeof nextBill> | null,
  held = [] as { transaction_id: string; amount: string }[],
  transfers = [] as Transfer[],
} = {}) {
  answer('get', '/subscription/dashboard', {
    subscription: null,
    tenant: null,
    add_ons_services: [],
    held_payments: held,
    confirming_payments: [],
  });
  const sent = answer(
    'get',
    '/subscription/list',
    orders,
    'Orders.',
    pageOf(total, { current_page: page, last_page: lastPage }),
  );
  answer('get', '/subscription/payments/list', payments, 'Payments.', pageOf(1));
  answer('get', '/subscription/renewals', bill);
  answer('get', '/transfers', { offered: transfers.length > 0, minimum_paise: 0, transfers });
  return { sent, ...renderRoutes(routes, { at }) };
}
