import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { keepChoice } from '@/lib/plan-choice';
import { startSession } from '@/lib/session/session';
import { franchiserUser } from '@/testing/factories';
import { nextBill } from '@/testing/payment-factories';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { answer, mock, refuse, server } from '@/testing/server';
import { ids, noPlan, plan, subscription } from '@/testing/subscription-factories';
import { PricingPage } from './pricing-page';

const routes = [{ path: 'pricing', element: <PricingPage /> }];
const plans = [plan(), plan({ id: ids.otherService, plan_name: 'Growth', most_popular: true })];

beforeEach(() => {
  answer('get', '/subscription/dashboard', noPlan());
});

function setup({
  at = '/pricing',
  data = { subscription_plan: plans } as Parameters<typeof answer>[2],
  state = undefined as unknown,
} = {}) {
  answer('get', '/subscription-plan/list', data);
  return renderRoutes(routes, { at, state });
}

test('monthly is chosen by default, and choosing annual changes price, address and button names', async () => {
  const { user, router } = setup();
  const card = await screen.findByRole('article', { name: 'Start up' });
  expect(screen.getByRole('radio', { name: 'Monthly' })).toBeChecked();
  expect(card).toHaveTextContent('Starts with₹12,500/billed monthly');
  expect(within(card).queryByText(/^Save/)).not.toBeInTheDocument();
  expect(screen.getByText('SAVE UP TO 10%')).toBeVisible();

  await user.click(screen.getByRole('radio', { name: 'Annual' }));
  expect(router.state.location.search).toBe('?billing=annual');
  expect(card).toHaveTextContent(
    'Starts withList price ₹1,50,000 ₹1,35,000/billed annually₹1,59,300 today, with 18% GST',
  );
  expect(within(card).getByText('Save ₹15,000')).toBeVisible();
  expect(within(card).getByRole('link', { name: /Buy Start up, annual$/ })).toHaveAttribute(
    'href',
    `/plan/start-up/annual/${ids.plan}`,
  );
});

test('the address opens the page on annual, and the popular plan says so', async () => {
  setup({ at: '/pricing?billing=annual' });
  const growth = await screen.findByRole('article', { name: 'Growth' });
  expect(screen.getByRole('radio', { name: 'Annual' })).toBeChecked();
  expect(within(growth).getByText('MOST POPULAR')).toBeVisible();
  expect(screen.getByText(/The large prices exclude 18% GST/)).toBeVisible();
  expect(await screen.findByRole('link', { name: 'Compare Subscription Plans' })).toHaveAttribute('href', '/overview');
});

test('Buy Now passes the plan and its period along', async () => {
  const { user } = setup();
  const link = await screen.findByRole('link', { name: /Buy Growth, monthly$/ });
  // Until the live plans are there, the link names the plan of the release.
  await waitFor(() => expect(link).toHaveAttribute('href', expect.stringContaining(ids.otherService)));
  await user.click(link);
  const elsewhere = await screen.findByTestId('address');
  expect(elsewhere).toHaveTextContent(`/plan/growth/monthly/${ids.otherService}`);
  expect(elsewhere).toHaveAttribute('data-state', JSON.stringify({ id: ids.otherService, 'plan-type': 'monthly' }));
});

test('the add-on features open and close for each plan alone', async () => {
  const { user } = setup();
  const card = await screen.findByRole('article', { name: 'Start up' });
  const toggle = within(card).getByRole('button', { name: 'Add-on features of Start up' });
  expect(within(card).queryByText('Users extension')).not.toBeVisible();
  await user.click(toggle);
  expect(toggle).toHaveAttribute('aria-expanded', 'true');
  expect(within(card).getByText('Users extension')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Add-on features of Growth' })).toHaveAttribute('aria-expanded', 'false');
});

test('while the plans load the cards show the prices of the release, and lead to each plan by its name', async () => {
  server.use(mock.get('/subscription-plan/list', () => new Promise(() => undefined)));
  renderRoutes(routes);
  const card = await screen.findByRole('article', { name: 'Growth' });
  expect(card).toHaveTextContent('₹15,000/billed monthly');
  expect(card).toHaveTextContent('₹17,700 today, with 18% GST');
  expect(within(card).getByRole('link', { name: /^Buy Now/ })).toHaveAttribute('href', '/plan/growth/monthly/growth');
  expect(screen.getByText('SAVE UP TO 10%')).toBeVisible();
});

test('a price that staff changed replaces the price of the release', async () => {
  const service = { ...plan().subscription_plan_service, monthly_service_amount: '₹13,999' };
  setup({ data: { subscription_plan: [plan({ subscription_plan_service: service })] } });
  const card = await screen.findByRole('article', { name: 'Start up' });
  await waitFor(() => expect(card).toHaveTextContent('Starts with₹13,999/billed monthly'));
  expect(card).not.toHaveTextContent('₹12,500');
});

test('an empty list says No Data Found!!', async () => {
  setup({ data: { subscription_plan: [] } });
  expect(await screen.findByText('No Data Found!!')).toBeVisible();
});

test('a failed load offers Retry with the request id, not the empty text', async () => {
  refuse('get', '/subscription-plan/list', 500, { request_id: 'req-77' });
  const { user } = renderRoutes(routes);
  expect(await screen.findByRole('alert')).toHaveTextContent('We could not load the plans.');
  expect(screen.getByText('Request id: req-77')).toBeVisible();
  expect(screen.queryByText('No Data Found!!')).not.toBeInTheDocument();
  answer('get', '/subscription-plan/list', { subscription_plan: plans });
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByRole('article', { name: 'Growth' })).toBeVisible();
});

test('the message about one’s own plan shows to signed-in people only', async () => {
  const data = { subscription_plan: plans, subscription_message: 'Your free trial ends on 5 Dec 2026.' };
  const { unmount } = setup({ data });
  await screen.findByRole('article', { name: 'Growth' });
  expect(screen.queryByText(data.subscription_message)).not.toBeInTheDocument();
  unmount();
  startSession(franchiserUser({ is_active: true }));
  setup({ data });
  expect(await screen.findByText(data.subscription_message)).toBeVisible();
});

test('who comes back after the plan has lapsed reads which plan it was and can renew it here', async () => {
  startSession(franchiserUser({ is_active: false }));
  answer(
    'get',
    '/subscription/renewals',
    nextBill({ state: 'lapsed', plan_name: 'Growth', service_name: 'Apex', total: '₹27,612', can_renew: true }),
  );
  setup({
    data: {
      subscription_plan: plans,
      subscription_message: 'Plan Expired On: 31 Jan 2027',
      subscription_message_tone: 'danger',
    },
  });
  expect(await screen.findByText('Your plan has ended. Growth · Apex can be renewed for ₹27,612.')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Renew' })).toBeVisible();
});

test('a trial that has just begun is told without alarm', async () => {
  startSession(franchiserUser({ is_active: true }));
  setup({
    data: {
      subscription_plan: plans,
      subscription_message: 'Your free trial ends on 5 Dec 2026.',
      subscription_message_tone: 'info',
    },
  });
  expect((await screen.findByText('Your free trial ends on 5 Dec 2026.')).closest('.notice')).toHaveClass(
    'notice-info',
  );
});

test('a trial that has ended is told in the words of every page, without alarm', async () => {
  startSession(franchiserUser({ is_active: true, payment_status: 5 }));
  answer('get', '/subscription/renewals', null);
  answer('get', '/subscription/dashboard', {
    subscription: subscription({
      state: 'expired',
      payment_status: 5,
      payment_type: 'free trial',
      plan_renew_on: '2026-12-05',
      expired_message: 'Plan Expired On: 4 Dec 2026',
    }),
    tenant: null,
    add_ons_services: [],
    held_payments: [],
    confirming_payments: [],
  });
  setup({
    data: {
      subscription_plan: plans,
      subscription_message: 'Plan Expired On: 4 Dec 2026',
      subscription_message_tone: 'danger',
    },
  });
  const told = await screen.findByText('Your free trial ended on 4 Dec 2026.');
  expect(told.closest('.notice')).toHaveClass('notice-warning');
  expect(screen.queryByText(/^Plan Expired On/)).not.toBeInTheDocument();
});

test('a choice made before is offered again, and a warning that led here is shown', async () => {
  keepChoice({ path: '/plan/growth/annual/1?service=2', label: 'Growth · Apex · ₹3,44,088' });
  setup({ state: { notice: 'Kindly choose a plan before filling in the store details' } });
  expect(await screen.findByRole('link', { name: 'Continue with Growth · Apex · ₹3,44,088' })).toHaveAttribute(
    'href',
    '/plan/growth/annual/1?service=2',
  );
  expect(screen.getByText('Kindly choose a plan before filling in the store details')).toBeVisible();
});

test('opening a question closes the other of its group, pressing it again closes it', async () => {
  const { user } = setup();
  const first = await screen.findByRole('button', { name: 'How many franchises can I run?' });
  const second = screen.getByRole('button', { name: 'Do I get an app of my own?' });
  const payment = screen.getByRole('button', { name: 'How can I pay?' });
  await user.click(first);
  await user.click(payment);
  await user.click(second);
  expect(first).toHaveAttribute('aria-expanded', 'false');
  expect(second).toHaveAttribute('aria-expanded', 'true');
  expect(payment).toHaveAttribute('aria-expanded', 'true');
  await user.click(second);
  expect(second).toHaveAttribute('aria-expanded', 'false');
  expect(within(screen.getByRole('heading', { name: 'How can I pay?' })).getByRole('button')).toBe(payment);
});

test('the testimonials move by arrows and dots, without end', async () => {
  const { user } = setup();
  const slides = () =>
    screen.getAllByRole('group', { name: /of 3$/, hidden: true }).map((slide) => !slide.hasAttribute('inert'));
  await screen.findByRole('button', { name: 'Previous testimonial' });
  expect(slides()).toEqual([true, false, false]);
  await user.click(screen.getByRole('button', { name: 'Previous testimonial' }));
  expect(slides()).toEqual([false, false, true]);
  await user.click(screen.getByRole('button', { name: 'Next testimonial' }));
  await user.click(screen.getByRole('button', { name: 'Show testimonial 2' }));
  expect(slides()).toEqual([false, true, false]);
});

test('the page obeys the accessibility rules', async () => {
  const { container } = setup();
  await screen.findByRole('article', { name: 'Growth' });
  await screen.findByRole('heading', { name: 'General questions' });
  expect(await accessibilityFaults(container)).toEqual([]);
});

test('who has no plan that runs can renew the one that ended here', async () => {
  startSession(franchiserUser({ is_active: true, has_store_details: false, payment_status: 5 }));
  answer('get', '/subscription/renewals', nextBill({ state: 'expired', can_renew: true }));
  setup();
  expect(await screen.findByText(/^Your plan has ended\. /)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Renew' })).toBeVisible();
});

test('an account that is to be erased is told on the plans too that it cannot buy', async () => {
  keepChoice({ path: '/plan/growth/annual/p1', label: 'Growth · Apex · ₹1,000' });
  startSession(franchiserUser({ is_active: true, erase_on: '2026-11-28' }));
  setup();
  expect(await screen.findByText(/^Your account will be erased on 28 Nov 2026\./)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Keep my account' })).toBeVisible();
  expect(screen.queryByRole('link', { name: /^Continue with/ })).not.toBeInTheDocument();
  expect(await screen.findByRole('article', { name: 'Growth' })).toHaveTextContent('/billed monthly');
  expect(screen.queryByRole('link', { name: /Buy/ })).not.toBeInTheDocument();
});

test('a member is told who may buy, and nothing of the account’s plan', async () => {
  keepChoice({ path: '/plan/growth/annual/p1', label: 'Growth · Apex · ₹1,000' });
  startSession(franchiserUser({ is_active: true, role: 'manager', account_name: 'Asha Sweets LLP' }));
  setup({ data: { subscription_plan: plans, subscription_message: 'Your plan ends tomorrow.' } });
  expect(await screen.findByText(/Only the owner of that account chooses and pays/)).toBeVisible();
  expect(await screen.findByRole('article', { name: 'Growth' })).toHaveTextContent('/billed monthly');
  expect(screen.queryByRole('link', { name: /Buy|^Continue with/ })).not.toBeInTheDocument();
  expect(screen.queryByText('Your plan ends tomorrow.')).not.toBeInTheDocument();
});

test.each([true, false])(
  'a choice made before is not offered while its payment is being confirmed (%s)',
  async (pending) => {
    keepChoice({ path: '/plan/growth/annual/1?service=2', label: 'Growth · Apex · ₹3,44,088' });
    startSession(franchiserUser());
    const confirming = pending ? [{ transaction_id: 'FP26112100000001', amount: '₹3,44,088' }] : [];
    answer('get', '/subscription/dashboard', noPlan({ confirming_payments: confirming }));
    setup();
    if (!pending) {
      expect(await screen.findByRole('link', { name: /^Continue with/ })).toBeVisible();
      return;
    }
    expect(await screen.findByText(/is being confirmed/)).toBeVisible();
    expect(screen.queryByRole('link', { name: /^Continue with/ })).not.toBeInTheDocument();
  },
);
