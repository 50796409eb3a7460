import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { dashboardQuery } from '@/domain/payment/api/dashboard';
import { creditNote, orderRow, pageOf, taxDocument } from '@/testing/payment-factories';
import { renderRoutes } from '@/testing/render';
import { answer, mock, page, server } from '@/testing/server';
import { ids, noPlan, subscription } from '@/testing/subscription-factories';
import { holdWindow } from './billing.fixture';
import { OrderPage } from './order-page';

holdWindow();

test('an order that an upgrade replaced names the new order and what was credited', async () => {
  const first = orderRow({
    transaction_id: 'FP1',
    subscription_status_value: 'Replaced',
    documents: [taxDocument(), creditNote({ amount: '₹1,40,000', number: 'CN/26-27/000001' })],
  });
  const unpaid = { kind: 'upgrade', subscription_status_value: 'Inactive', transaction_id: 'FP3' } as const;
  const upgrade = orderRow({
    id: ids.plan,
    kind: 'upgrade',
    transaction_id: 'FP2',
    plan_name: 'Growth',
    plan_purchase_date: '2026-12-15',
  });
  answer('get', '/subscription/dashboard', null);
  answer('get', '/subscription/list', [orderRow({ ...unpaid, id: ids.addOn }), upgrade, first], 'Orders.', pageOf(3));
  renderRoutes([{ path: 'subscription_list/:transactionId', element: <OrderPage /> }], {
    at: '/subscription_list/FP1',
  });
  expect(await screen.findByRole('link', { name: 'Growth · Expansion' })).toHaveAttribute(
    'href',
    '/subscription_list/FP2',
  );
  expect(screen.getByText(/Your order of 15 Dec 2026 replaced this one/)).toHaveTextContent(
    '₹1,40,000 of it was credited, with credit note CN/26-27/000001.',
  );
});

test('an order that was replaced more than a page ago names the order that replaced it', async () => {
  const first = orderRow({ transaction_id: 'FP1', subscription_status_value: 'Replaced' });
  const upgrade = orderRow({ id: ids.plan, kind: 'upgrade', transaction_id: 'FP2', plan_name: 'Growth' });
  const addOn = orderRow({ id: ids.addOn, kind: 'add_on', transaction_id: 'FP3' });
  const pages = [[addOn], [upgrade], [first]];
  answer('get', '/subscription/dashboard', null);
  server.use(
    mock.get('/subscription/list', ({ request }) => {
      const query = new URL(request.url).searchParams;
      const at = Number(query.get('page'));
      const found = query.get('search')
        ? { data: [first], ...pageOf(1) }
        : { data: pages[at - 1] ?? [], ...pageOf(3, { current_page: at, last_page: 3 }) };
      return page(found.data, found);
    }),
  );
  renderRoutes([{ path: 'subscription_list/:transactionId', element: <OrderPage /> }], {
    at: '/subscription_list/FP1',
  });
  expect(await screen.findByRole('link', { name: 'Growth · Expansion' })).toHaveAttribute(
    'href',
    '/subscription_list/FP2',
  );
});

const SET_UP = /after your payment we agree/;

test('an order that was refunded offers no set-up, and neither does its ended plan', async () => {
  const row = orderRow({ transaction_id: 'FP1', subscription_status_value: 'Refunded' });
  answer(
    'get',
    '/subscription/dashboard',
    noPlan({ subscription: subscription({ state: 'expired', ended_by_refund: true }) }),
  );
  answer('get', '/subscription/list', [row], 'Orders.', pageOf(1));
  const { queryClient } = renderRoutes([{ path: 'subscription_list/:transactionId', element: <OrderPage /> }], {
    at: '/subscription_list/FP1',
  });
  expect(await screen.findByRole('region', { name: 'Your order' })).toBeVisible();
  await waitFor(() => expect(queryClient.getQueryData(dashboardQuery.queryKey)).toBeDefined());
  expect(screen.queryByText(SET_UP)).not.toBeInTheDocument();
  expect(screen.queryByText('Your set-up')).not.toBeInTheDocument();
  expect(screen.queryByText(/room for/)).not.toBeInTheDocument();
});

test('an order that another order replaced does not repeat what is set up', async () => {
  const row = orderRow({ transaction_id: 'FP1', subscription_status_value: 'Replaced' });
  answer('get', '/subscription/dashboard', noPlan({ subscription: subscription({ plan_name: 'Growth' }) }));
  answer('get', '/subscription/list', [row], 'Orders.', pageOf(1));
  renderRoutes([{ path: 'subscription_list/:transactionId', element: <OrderPage /> }], {
    at: '/subscription_list/FP1',
  });
  expect(await screen.findByText('Your set-up')).toBeVisible();
  expect(screen.queryByText(SET_UP)).not.toBeInTheDocument();
});
