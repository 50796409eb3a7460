import { screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { dashboardQuery } from '@/domain/payment/api/dashboard';
import { ordersQuery } from '@/features/billing/api/orders';
import { createQueryClient } from '@/lib/api/query-client';
import { startSession } from '@/lib/session/session';
import { franchiserUser } from '@/testing/factories';
import { renderRoutes } from '@/testing/render';
import { answer } from '@/testing/server';
import { noPlan, subscription } from '@/testing/subscription-factories';
import { card, routes, setup, signIn } from './dashboard.fixture';

beforeEach(signIn);

test('a payment that is held stands before all else, with the way to its page', async () => {
  setup({ held: [{ transaction_id: 'FP26112100000001', amount: '₹14,749' }] });
  expect(
    await screen.findByText(
      'We are looking at your payment of ₹14,749, because another amount was due. Please do not pay again.',
    ),
  ).toBeVisible();
  expect(screen.getByRole('link', { name: 'See this payment' })).toHaveAttribute(
    'href',
    '/checkout/result/success?transaction_id=FP26112100000001',
  );
});

test('a plan that ended with a refund says so, and is not renewed', async () => {
  setup({
    sub: {
      state: 'expired',
      ended_by_refund: true,
      expired_message: 'Your plan ended on 24 Nov 2026 with a refund',
    },
  });
  expect(await screen.findByText('Your plan ended on 24 Nov 2026 with a refund.')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Renew' })).not.toBeInTheDocument();
  expect(screen.getAllByRole('link', { name: 'Choose a plan' })[0]).toHaveAttribute('href', '/pricing');
  expect(await card('Your plan')).toHaveTextContent('Ended: refunded');
  expect(within(await card('Add-ons')).getByRole('link', { name: 'Choose a plan' })).toHaveAttribute(
    'href',
    '/pricing',
  );
  expect(screen.queryByRole('button', { name: 'Add add-ons' })).not.toBeInTheDocument();
});

test.each(['expired', 'lapsed'] as const)('lists the features of a plan that is %s as past', async (state) => {
  setup({ sub: { state, expired_message: 'Your plan ended on 21 Nov 2027.' }, addOns: [] });
  expect(await card('Your plan')).toHaveTextContent('Until it ended, your plan included:');
  expect(screen.getByRole('list', { name: 'Features your plan included' })).toBeVisible();
  expect(screen.queryByText(/franchises used/)).not.toBeInTheDocument();
  expect(screen.queryByText('Your set-up')).not.toBeInTheDocument();
  expect(await card('Add-ons')).toHaveTextContent('No add-ons.');
  expect(screen.queryByText(/can be added at any time/)).not.toBeInTheDocument();
  expect(screen.queryByRole('region', { name: 'What you get' })).not.toBeInTheDocument();
});

test('the dashboard and the orders are fetched again when the tab gets the focus, because another tab may have paid', () => {
  const client = createQueryClient();
  for (const query of [dashboardQuery, ordersQuery({ page: 1, search: '' })])
    expect(client.defaultQueryOptions<unknown>(query as never).refetchOnWindowFocus).toBe('always');
});

test.each([
  [{ by_gateway: '₹13,47,468' }, '₹13,47,468 is being refunded the way you paid.'],
  [{ by_gateway: '₹13,47,468', gateway_on: '2026-11-26' }, '₹13,47,468 was refunded on 26 Nov 2026 the way you paid.'],
  [{ by_transfer: '₹1,59,300' }, '₹1,59,300 is being refunded by bank transfer.'],
  [
    { by_gateway: '₹11,88,168', gateway_on: '2026-11-26', by_transfer: '₹1,59,300' },
    '₹11,88,168 was refunded on 26 Nov 2026 the way you paid. ₹1,59,300 is being refunded by bank transfer.',
  ],
])('a refunded plan says which amount comes back by which way: %o', async (refunds, sentence) => {
  setup({
    sub: {
      state: 'expired',
      ended_by_refund: true,
      refunds: { by_gateway: null, by_transfer: null, gateway_on: null, transfer_on: null, ...refunds },
      expired_message: 'Your plan ended on 24 Nov 2026 with a refund',
    },
  });
  expect(await screen.findByText(sentence)).toBeVisible();
});

test('while the account is to be erased nothing can be renewed or added: the page says why, with the way to keep it', async () => {
  startSession(franchiserUser({ is_active: true, has_store_details: true, erase_on: '2026-11-28' }));
  setup({
    sub: { state: 'grace', notice: 'Your plan ended on 21 Nov 2027. Renew by 28 Nov 2027 to keep it.' },
  });
  expect(await screen.findByText(/^Your account will be erased on 28 Nov 2026\./)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Keep my account' })).toBeVisible();
  expect(await card('Next bill')).toHaveTextContent('Nothing is billed: your account will be erased on 28 Nov 2026.');
  expect(await card('Your plan')).not.toHaveTextContent('Change plan');
  for (const offer of [/^Renew/, /add-ons$/])
    expect(screen.queryByRole('button', { name: offer })).not.toBeInTheDocument();
  expect(screen.queryByText(/Renew by|at any time/)).not.toBeInTheDocument();
});

test('without a store, a plan that has ended leads to the plans, not to a store', async () => {
  const ended = subscription({ state: 'expired', payment_status: 5 });
  answer('get', '/subscription/dashboard', noPlan({ subscription: ended }));
  renderRoutes(routes, { at: '/subscription_store' });
  expect(await screen.findByRole('link', { name: 'Explore Our Plans' })).toHaveAttribute('href', '/pricing');
  expect(screen.queryByRole('link', { name: 'Set up your store' })).not.toBeInTheDocument();
});

test('without a store nothing is offered to an account that is to be erased', async () => {
  startSession(franchiserUser({ erase_on: '2026-11-28' }));
  answer('get', '/subscription/dashboard', noPlan());
  renderRoutes(routes, { at: '/subscription_store' });
  expect(await screen.findByText('There is no store yet.')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Keep my account' })).toBeVisible();
  expect(screen.queryByRole('link', { name: 'Explore Our Plans' })).not.toBeInTheDocument();
});
