import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import {
  creditNote,
  nextBill,
  orderRow,
  pageOf,
  paymentRow,
  paymentSession,
  preview,
  taxDocument,
} from '@/testing/payment-factories';
import { startSession } from '@/lib/session/session';
import { franchiserUser } from '@/testing/factories';
import { press } from '@/testing/press';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { answer, refuse } from '@/testing/server';
import { ids } from '@/testing/subscription-factories';
import { holdWindow, opened, routes, setup } from './billing.fixture';

holdWindow();

test('orders show what was bought, until when, and its status; the count is announced', async () => {
  setup({ total: 23 });
  const row = (await screen.findAllByRole('row'))[1] as HTMLElement;
  expect(row).toHaveTextContent('Start up · Expansion');
  expect(row).toHaveTextContent('+ Users extension');
  expect(row).toHaveTextContent('₹1,59,300List price ₹1,50,000 before GST and add-ons, less the annual discount');
  expect(within(row).getByText('Active')).toBeVisible();
  expect(within(row).getByText('20 Nov 2027')).toBeVisible();
  expect(within(row).getByText('-')).toBeVisible();
  expect(screen.getByText('23 orders')).toHaveAttribute('role', 'status');
  expect(screen.getByRole('heading', { level: 1, name: 'Renewals and Billing' })).toBeVisible();
});

test.each([
  ['active', 'Start up · Expansion renews on 21 Nov 2027 for ₹1,59,300.'],
  ['grace', 'Your plan ended on 20 Nov 2027. Renew Start up · Expansion by 27 Nov 2027 for ₹1,59,300 to keep it.'],
  ['lapsed', 'Your plan has ended. Start up · Expansion can be renewed for ₹1,59,300.'],
] as const)('a renewal of a plan that is %s can be paid from here', async (state, words) => {
  answer('post', '/renew-subscription/payments/details', preview({ kind: 'renewal' }));
  const request = answer('post', '/renew-subscription/payments/request', paymentSession());
  const { user } = setup({ bill: nextBill({ state, can_renew: true }) });
  expect(await screen.findByText(words)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Renew' }));
  await press(user, await screen.findByRole('button', { name: 'Make Payment · ₹1,59,300' }));
  await waitFor(() =>
    expect(request.bodies).toEqual([{ subscription_id: ids.subscription, expected_total: 15930000 }]),
  );
});

test('the tabs are in the address, and another tab starts on its first page', async () => {
  const { user, router } = setup({ at: '/subscription_list?page=2', total: 23, lastPage: 3 });
  await screen.findByText('23 orders');
  await user.click(screen.getByRole('tab', { name: 'Payments' }));
  expect(router.state.location.search).toBe('?tab=payments');
  const row = (await screen.findAllByRole('row'))[1] as HTMLElement;
  expect(row).toHaveTextContent('FP/26-27/000042');
  expect(row).toHaveTextContent('21 Nov 2026, 11:00 IST');
  expect(within(row).getByText('UPI')).toBeVisible();
  expect(within(row).getByText('Paid')).toBeVisible();
});

test('the search enters the address a second after the last key, or at once with Enter', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const { user, router, sent } = setup({ at: '/subscription_list?page=2' });
  await screen.findByText('1 order');
  await user.type(screen.getByRole('searchbox', { name: 'Search orders and payments' }), 'growth');
  await act(() => vi.advanceTimersByTimeAsync(500));
  expect(router.state.location.search).toBe('?page=2');
  await act(() => vi.advanceTimersByTimeAsync(700));
  expect(router.state.location.search).toBe('?search=growth');
  await waitFor(() => expect(new URL(sent.requests.at(-1)?.url ?? '').searchParams.get('search')).toBe('growth'));
  await user.type(screen.getByRole('searchbox'), 's{Enter}');
  expect(router.state.location.search).toBe('?search=growths');
});

test('pages are links: Prev, the current one, the next one, Next', async () => {
  setup({ at: '/subscription_list?search=start', total: 23, lastPage: 3 });
  const pager = await screen.findByRole('navigation', { name: 'Pages of orders' });
  expect(within(pager).getByRole('link', { name: 'Page 1 of 3' })).toHaveAttribute('aria-current', 'page');
  expect(within(pager).getByRole('link', { name: 'Next' })).toHaveAttribute(
    'href',
    expect.stringContaining('search=start&page=2'),
  );
  expect(within(pager).queryByRole('link', { name: 'Prev' })).not.toBeInTheDocument();
});

test('an empty list offers no plan to an account that is to be erased', async () => {
  startSession(franchiserUser({ erase_on: '2026-11-28' }));
  setup({ orders: [], total: 0 });
  expect(await screen.findByText('You have no orders.')).toBeVisible();
  expect(screen.queryByRole('link', { name: 'Explore Our Plans' })).not.toBeInTheDocument();
});

test('an empty list says Data not found and why', async () => {
  const { unmount } = setup({ orders: [], total: 0 });
  expect(await screen.findByText('Data not found')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Explore Our Plans' })).toBeVisible();
  unmount();
  setup({ orders: [], total: 0, at: '/subscription_list?search=zzz' });
  expect(await screen.findByText(/Nothing matches your search/)).toBeVisible();
});

test('a page behind the last order leads to the first page', async () => {
  setup({ at: '/subscription_list?page=9', orders: [], total: 23, page: 9, lastPage: 3 });
  expect(await screen.findByRole('link', { name: 'First page' })).toHaveAttribute('href', '/subscription_list');
  expect(screen.queryByText('Data not found')).not.toBeInTheDocument();
});

test('a failed load is never shown as empty, and can be tried again', async () => {
  answer('get', '/subscription/dashboard', {
    subscription: null,
    tenant: null,
    add_ons_services: [],
    held_payments: [],
    confirming_payments: [],
  });
  answer('get', '/transfers', { offered: false, minimum_paise: 0, transfers: [] });
  answer('get', '/subscription/renewals', null);
  refuse('get', '/subscription/list', 500, { request_id: 'req-2' });
  const { user } = renderRoutes(routes);
  expect(await screen.findByText('Request id: req-2')).toBeVisible();
  expect(screen.queryByText('Data not found')).not.toBeInTheDocument();
  answer('get', '/subscription/list', [orderRow()], 'Orders.', pageOf(1));
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('1 order')).toBeVisible();
});

test.each([
  [
    'new',
    '/subscription/payments/details',
    '/subscription/payments/request',
    { plan_type: 'yearly', plan_services_id: ids.service, add_ons_service_id: [ids.addOn], expected_total: 15930000 },
    'Pay ₹1,59,300',
  ],
  [
    'add_on',
    '/subscription/add-ons-services/payments/details',
    '/subscription/add-ons-services/payments/request',
    { subscription_id: ids.subscription, add_ons_service_id: [ids.addOn], expected_total: 15930000 },
    'Make Payment · ₹1,59,300',
  ],
  [
    'renewal',
    '/renew-subscription/payments/details',
    '/renew-subscription/payments/request',
    { subscription_id: ids.subscription, expected_total: 15930000 },
    'Make Payment · ₹1,59,300',
  ],
] as const)('an unpaid order of the kind %s is paid from its row', async (kind, details, request, body, button) => {
  answer('post', details, preview());
  const sent = answer('post', request, paymentSession());
  const { user } = setup({
    orders: [
      orderRow({ kind, subscription_status_value: 'Inactive', invoice_id: null, add_ons_service_id: [ids.addOn] }),
    ],
  });
  await user.click(await screen.findByRole('button', { name: /^Pay ₹1,59,300 for Start up · Expansion/ }));
  const dialog = await screen.findByRole('dialog', { name: 'Payment Details' });
  await press(user, await within(dialog).findByRole('button', { name: button }));
  expect(await screen.findByTestId('address')).toHaveTextContent('/checkout/pay');
  expect(sent.bodies).toEqual([body]);
});

test('an open payment is said to be resumed, not doubled', async () => {
  answer(
    'post',
    '/subscription/payments/details',
    preview({ gateway_details: { payment_url: 'https://gateway.example', hash: 'x' } }),
  );
  const { user } = setup({ orders: [orderRow({ subscription_status_value: 'Inactive' })] });
  await user.click(await screen.findByRole('button', { name: /^Pay/ }));
  expect(await screen.findByText(/nothing is charged twice/)).toBeVisible();
});

test('the screen obeys the accessibility rules', async () => {
  const { container } = setup();
  await screen.findByText('1 order');
  expect(await accessibilityFaults(container)).toEqual([]);
});

test.each([
  ['partly', { refunded: '₹1,58,000' }, 'Paid · ₹1,58,000 of ₹1,59,300 refunded'],
  ['fully', { refunded: '₹1,59,300', state: 'refunded' }, 'Refunded'],
  ['on_its_way', { refunding: '₹1,59,300' }, 'Refund of ₹1,59,300 on its way'],
  ['disputed', {}, 'Paid · Disputed with your bank'],
  ['charged_back', { refunded: '₹1,59,300', state: 'refunded' }, 'Taken back by your bank'],
  ['charged_back', { refunded: '₹500' }, '₹500 of ₹1,59,300 taken back by your bank'],
] as const)('a payment that is back (%s, %j) says so', async (refund_state, change, words) => {
  setup({ at: '/subscription_list?tab=payments', payments: [paymentRow({ refund_state, ...change })] });
  expect(await screen.findByText(words)).toBeVisible();
});

test.each(['payments', 'orders'])(
  'a credit note is named and downloaded from the %s, and a buyer with a GSTIN is told what it asks',
  async (tab) => {
    const documents = [taxDocument(), creditNote({ reverses_input_tax: true })];
    const back = { refund_state: 'partly', refunded: '₹1,58,000', documents } as const;
    const { user, container } = setup({
      at: `/subscription_list?tab=${tab}`,
      orders: [orderRow(back)],
      payments: [paymentRow(back)],
    });
    const asked = answer('get', '/subscription/invoice/{id}', {
      invoice: 'https://files.example/2.pdf',
      invoice_number: 'CN/26-27/000007',
      state: 'ready',
      expires_at: null,
    });
    expect(await screen.findByText('CN/26-27/000007')).toBeVisible();
    expect(
      screen.getByText(tab === 'orders' ? '₹1,58,000 refunded' : 'Paid · ₹1,58,000 of ₹1,59,300 refunded'),
    ).toBeVisible();
    expect(
      screen.getByText(
        /A credit note was issued to your GSTIN: CN\/26-27\/000007 with ₹24,101.69 GST. If you claimed input tax credit on the invoice, reverse that GST./,
      ),
    ).toBeVisible();
    expect(screen.getByRole('button', { name: 'Download invoice FP/26-27/000042, PDF' })).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Download credit note CN/26-27/000007, PDF' }));
    await waitFor(() => expect(opened.location.replace).toHaveBeenCalledWith('https://files.example/2.pdf'));
    expect(new URL(asked.requests[0]?.url ?? '').pathname).toContain(ids.creditNote);
    expect(await screen.findByText('Credit note downloaded')).toBeVisible();
    expect(await accessibilityFaults(container)).toEqual([]);
  },
);

test('a buyer without a GSTIN is told nothing of input tax', async () => {
  setup({ orders: [orderRow({ refund_state: 'partly', documents: [taxDocument(), creditNote()] })] });
  expect(await screen.findByText('CN/26-27/000007')).toBeVisible();
  expect(screen.queryByText(/input tax credit/)).not.toBeInTheDocument();
});

test('a refusal replaces the Pay button and shows no toast', async () => {
  answer('post', '/renew-subscription/payments/details', preview({ kind: 'renewal' }));
  refuse('post', '/renew-subscription/payments/request', 409, {
    code: 'renewal_not_open',
    message: 'There is nothing to renew just now.',
  });
  const { user } = setup({ bill: nextBill({ can_renew: true }) });
  await user.click(await screen.findByRole('button', { name: 'Renew' }));
  await press(user, await screen.findByRole('button', { name: 'Make Payment · ₹1,59,300' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('There is nothing to renew just now.');
  expect(screen.getAllByText('There is nothing to renew just now.')).toHaveLength(1);
  expect(screen.queryByRole('button', { name: /^Make Payment/ })).not.toBeInTheDocument();
});

test('after a failure that may pass, the payment can be tried again', async () => {
  answer('post', '/renew-subscription/payments/details', preview({ kind: 'renewal' }));
  refuse('post', '/renew-subscription/payments/request', 503, { message: 'The gateway cannot be reached.' });
  const { user } = setup({ bill: nextBill({ can_renew: true }) });
  await user.click(await screen.findByRole('button', { name: 'Renew' }));
  await press(user, await screen.findByRole('button', { name: 'Make Payment · ₹1,59,300' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('The gateway cannot be reached.');
  expect(screen.getByRole('button', { name: /^Make Payment/ })).toBeVisible();
});
