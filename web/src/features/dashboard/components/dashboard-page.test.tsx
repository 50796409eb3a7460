import { screen, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { nextBill, pageOf, paymentRow, paymentSession, preview } from '@/testing/payment-factories';
import { press } from '@/testing/press';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { answer, refuse } from '@/testing/server';
import { ids, subscription } from '@/testing/subscription-factories';
import { card, routes, setup, signIn } from './dashboard.fixture';

beforeEach(signIn);

test('plan, amount and renewal stand first; the features open from four to all', async () => {
  const { user } = setup();
  expect(await screen.findByRole('heading', { level: 1, name: 'Asha Sweets' })).toBeVisible();
  const plan = await card('Your plan');
  expect(plan).toHaveTextContent('Start up · Expansion');
  expect(plan).toHaveTextContent(
    '₹1,35,000 /billed annually₹1,59,300 with GSTList price ₹1,50,000 before GST and add-ons, less the annual discount',
  );
  expect(plan).toHaveTextContent('Renews on21 Nov 2027');
  expect(plan).toHaveTextContent('3 of 28 franchises used');
  expect(within(plan).getAllByRole('listitem')).toHaveLength(4);
  await user.click(within(plan).getByRole('button', { name: 'Show all 5 features' }));
  expect(within(plan).getAllByRole('listitem')).toHaveLength(5);
});

test('the next bill follows the plan, before features and payments', async () => {
  setup();
  await card('Add-ons');
  const names = screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent);
  const at = (name: string) => names.findIndex((one) => one.startsWith(name));
  expect(at('Next bill')).toBe(at('Your plan') + 1);
  expect(at('Add-ons')).toBeGreaterThan(at('Next bill'));
});

test('Access Franchise Dashboard opens the store in a new window, with https:// where it is missing', async () => {
  setup({ ten: { dashboard_url: 'shop.ashasweets.in/dashboard/login' } });
  const link = await screen.findByRole('link', { name: /^Access Franchise Dashboard/ });
  expect(link).toHaveAttribute('href', 'https://shop.ashasweets.in/dashboard/login');
  expect(link).toHaveAttribute('target', '_blank');
});

test('an expired plan shows its banner first, hides Cancel and blocks add-ons with the reason', async () => {
  const { user } = setup({
    sub: { state: 'expired', payment_status: 5, expired_message: 'Plan Expired On: 21 Nov 2027' },
  });
  expect(await screen.findByText('Plan Expired On: 21 Nov 2027')).toBeVisible();
  expect(screen.queryByRole('button', { name: /^Cancel/ })).not.toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Add add-ons' }));
  expect(within(await card('Add-ons')).getByRole('alert')).toHaveTextContent(
    'Plan Expired On: 21 Nov 2027. Please renew your plan.',
  );
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
});

test.each([
  [
    { state: 'grace', notice: 'Your plan ended on 21 Nov 2027. Renew by 27 Nov 2027 to keep it.' },
    'Your plan ended on 21 Nov 2027. Renew by 27 Nov 2027 to keep it. Please renew your plan.',
  ],
  [{ state: 'trialing', payment_type: 'free trial' }, 'Choose a plan first: the free trial takes no add-ons.'],
] as const)('add-ons that cannot be bought just now say why at once', async (sub, words) => {
  const { user } = setup({ sub });
  await user.click(await screen.findByRole('button', { name: 'Add add-ons' }));
  expect(within(await card('Add-ons')).getByRole('alert')).toHaveTextContent(words);
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
});

test('a free trial that ended leads to the plans and offers no renewal', async () => {
  setup({
    sub: {
      state: 'expired',
      payment_status: 5,
      payment_type: 'free trial',
      expired_message: 'Plan Expired On: 4 Dec 2026',
      plan_renew_on: '2026-12-05',
    },
  });
  expect(await screen.findByText('Your free trial ended on 4 Dec 2026.')).toBeVisible();
  expect(screen.getAllByRole('link', { name: 'Choose a plan' })).toHaveLength(3);
  expect(screen.queryByRole('button', { name: 'Renew' })).not.toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Add add-ons' })).not.toBeInTheDocument();
});

test('Renew goes straight to the payment details and pays them', async () => {
  answer(
    'post',
    '/renew-subscription/payments/details',
    preview({ kind: 'renewal', effective_on: '2027-11-21', plan_renew_on: '2028-11-21' }),
  );
  const request = answer('post', '/renew-subscription/payments/request', paymentSession());
  const { user } = setup({ sub: { state: 'expired', expired_message: 'Plan Expired On: 21 Nov 2027' } });
  await user.click(await screen.findByRole('button', { name: 'Renew' }));
  const dialog = await screen.findByRole('dialog', { name: 'Payment Details' });
  expect(
    await within(dialog).findByText('Your next term starts on 21 Nov 2027 and renews on 21 Nov 2028.'),
  ).toBeVisible();
  await press(user, within(dialog).getByRole('button', { name: 'Make Payment · ₹1,59,300' }));
  expect(await screen.findByTestId('address')).toHaveTextContent('/checkout/pay');
  expect(request.bodies).toEqual([{ subscription_id: ids.subscription, expected_total: 15930000 }]);
});

test('a payment beside an undecided debit is made after a warning only', async () => {
  const undecided_debit = { amount: '₹1,59,300', asked_on: '2027-11-20', decided_by: '2027-11-25' };
  answer('post', '/renew-subscription/payments/details', preview({ kind: 'renewal', undecided_debit }));
  const request = answer('post', '/renew-subscription/payments/request', paymentSession());
  const { user } = setup({ sub: { state: 'expired', expired_message: 'Plan Expired On: 21 Nov 2027' } });
  await user.click(await screen.findByRole('button', { name: 'Renew' }));
  const dialog = await screen.findByRole('dialog', { name: 'Payment Details' });
  expect(await within(dialog).findByText(/^Your bank was asked for ₹1,59,300 on 20 Nov 2027/)).toBeVisible();
  await press(user, within(dialog).getByRole('button', { name: 'Pay anyway · ₹1,59,300' }));
  expect(await screen.findByTestId('address')).toHaveTextContent('/checkout/pay');
  expect(request.bodies).toEqual([
    { subscription_id: ids.subscription, expected_total: 15930000, pay_despite_debit: true },
  ]);
});

test('days of grace and the end of a trial are announced with the way on', async () => {
  const { unmount } = setup({
    sub: { state: 'grace', notice: 'Your plan ended on 21 Nov 2027. Renew by 28 Nov 2027 to keep it.' },
  });
  expect(await screen.findByText(/Renew by 28 Nov 2027/)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Renew' })).toBeVisible();
  unmount();
  setup({
    sub: {
      state: 'trialing',
      payment_type: 'free trial',
      notice: 'Your free trial ends on 5 Dec 2026.',
      notice_tone: 'danger',
      plan_renew_on: '2026-12-05',
    },
  });
  expect((await screen.findByText(/free trial ends on 5 Dec/)).closest('.notice')).toHaveClass('notice-danger');
  expect(screen.getAllByRole('link', { name: 'Choose a plan' })[0]).toHaveAttribute('href', '/pricing');
  expect(await card('Your plan')).toHaveTextContent('Ends on4 Dec 2026');
});

test('the next bill says to the rupee what comes and what ends before it', async () => {
  setup();
  answer(
    'get',
    '/subscription/renewals',
    nextBill({ dropped_add_ons: ['Users extension'], scheduled_plan: 'Start up · Apex', can_renew: true }),
  );
  const bill = await card('Next bill');
  expect(await within(bill).findByText('₹1,59,300', { selector: 'strong' })).toBeVisible();
  expect(bill).toHaveTextContent('Ends before it: Users extension.');
  expect(bill).toHaveTextContent('Changes to Start up · Apex with this bill.');
  expect(within(bill).getByRole('button', { name: 'Renew now' })).toBeVisible();
});

test('a card that fails keeps the others and can be tried again', async () => {
  setup();
  refuse('get', '/subscription/renewals', 500, { request_id: 'req-5' });
  const bill = await card('Next bill');
  expect(await within(bill).findByText('Request id: req-5')).toBeVisible();
  expect(await card('Your plan')).toBeVisible();
});

test('the payments are drawn, and listed in a table behind the drawing', async () => {
  const { user } = setup();
  const payments = await card('Your payments');
  expect(
    await within(payments).findByRole('img', { name: 'Your last 2 payments, from 21 Oct 2026 to 21 Nov 2026' }),
  ).toBeVisible();
  await user.click(within(payments).getByText('Show as a table'));
  expect(within(payments).getByRole('row', { name: '21 Oct 2026 ₹14,750' })).toBeVisible();
});

test('shows that an invoice is being prepared, and polls until it is ready', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  setup();
  answer(
    'get',
    '/subscription/payments/list',
    [paymentRow({ invoice_id: null, invoice_number: null, documents: [] })],
    'Payments.',
    pageOf(1),
  );
  expect(await screen.findByText('Invoice is being prepared')).toBeVisible();
  answer('get', '/subscription/payments/list', [paymentRow()], 'Payments.', pageOf(1));
  await vi.advanceTimersByTimeAsync(3100);
  expect(await screen.findByRole('button', { name: 'Download invoice FP/26-27/000042, PDF' })).toBeVisible();
  vi.useRealTimers();
});

test('without a plan the way leads to the plans, without a store to its details', async () => {
  answer('get', '/subscription/dashboard', {
    subscription: null,
    tenant: null,
    add_ons_services: [],
    held_payments: [],
    confirming_payments: [],
  });
  const { unmount } = renderRoutes(routes);
  expect(await screen.findByTestId('address')).toHaveTextContent('/pricing');
  unmount();
  answer('get', '/subscription/dashboard', {
    subscription: subscription(),
    tenant: null,
    add_ons_services: [],
    held_payments: [],
    confirming_payments: [],
  });
  renderRoutes(routes);
  expect(await screen.findByTestId('address')).toHaveTextContent('/store-details');
});

test('a dashboard that cannot be loaded can be tried again', async () => {
  refuse('get', '/subscription/dashboard', 500, { request_id: 'req-8' });
  const { user } = renderRoutes(routes);
  expect(await screen.findByText('Request id: req-8')).toBeVisible();
  setup();
  await user.click(screen.getAllByRole('button', { name: 'Retry' })[0] as HTMLElement);
  expect((await screen.findAllByText('Start up'))[0]).toBeVisible();
});

test('the store page reads Store and leads to its parts', async () => {
  setup({ at: '/subscription_store' });
  expect(screen.getByRole('heading', { level: 1, name: 'Store' })).toBeVisible();
  expect(await screen.findByRole('heading', { name: 'Asha Sweets' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Store details' })).toHaveAttribute('href', '/account?tab=store');
});

test('the dashboard obeys the accessibility rules', async () => {
  const { container } = setup();
  await within(await card('Next bill')).findByText('₹1,59,300', { selector: 'strong' });
  await screen.findByRole('img');
  expect(await accessibilityFaults(container)).toEqual([]);
});
