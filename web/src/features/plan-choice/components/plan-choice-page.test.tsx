import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { readChoice } from '@/lib/plan-choice';
import { preview } from '@/testing/payment-factories';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { answer, refuse } from '@/testing/server';
import { ids, planDetails, planService } from '@/testing/subscription-factories';
import { at, bar, forgetPayment, reviewPath, routes, setup } from './plan-choice.fixture';

beforeEach(forgetPayment);

test('the first service is chosen, its add-ons stand on No, thanks, and the total is the server’s', async () => {
  const { quote } = setup();
  expect(await screen.findByRole('radio', { name: /^Expansion/ })).toBeChecked();
  expect(screen.getByText('up to 36 franchises')).toBeVisible();
  const group = screen.getByRole('group', { name: 'Franchise extension' });
  expect(within(group).getByRole('radio', { name: /^No, thanks/ })).toBeChecked();
  expect(within(group).getByRole('radio', { name: /₹84,000 per year/ })).not.toBeChecked();
  await waitFor(async () =>
    expect(within(await bar()).getByRole('status')).toHaveTextContent('Total ₹1,59,300with 18% GST'),
  );
  expect(quote.bodies).toEqual([{ plan_type: 'yearly', plan_services_id: ids.service, add_ons_service_id: [] }]);
  expect(screen.getByRole('navigation', { name: 'Breadcrumb' })).toHaveTextContent('PricingChoose Your Plan');
  expect(screen.getByRole('link', { name: 'View Other Plans' })).toHaveAttribute('href', '/pricing');
});

test('the choice is kept in the address, and another service takes the add-ons back', async () => {
  const { user, router, quote } = setup();
  await user.click(await screen.findByRole('radio', { name: /10 more/ }));
  expect(new URLSearchParams(router.state.location.search).get('add_ons')).toBe(ids.addOn);
  await waitFor(() => expect(quote.bodies.at(-1)).toMatchObject({ add_ons_service_id: [ids.addOn] }));

  await user.click(screen.getByRole('radio', { name: /^Apex/ }));
  expect(router.state.location.search).toBe(`?service=${ids.otherService}`);
  await waitFor(() =>
    expect(quote.bodies.at(-1)).toEqual({
      plan_type: 'yearly',
      plan_services_id: ids.otherService,
      add_ons_service_id: [],
    }),
  );
});

test('an address opens on the choice it names, unknown ids aside', async () => {
  setup({ address: `${at}?service=${ids.otherService}&add_ons=${ids.usersAddOn},gone` });
  expect(await screen.findByRole('radio', { name: /^Apex/ })).toBeChecked();
  expect(
    within(screen.getByRole('group', { name: 'Users extension' })).getByRole('radio', { name: /10 more/ }),
  ).toBeChecked();
});

test('the exact price of a service stands without "From"', async () => {
  setup();
  expect(await screen.findByRole('radio', { name: /^Expansion/ })).toBeVisible();
  expect(screen.queryByText('From')).toBeNull();
});

test.each(['Secure Payment', 'View Details'])(
  'who is not signed in goes to the door by %s, with the choice',
  async (name) => {
    const { user } = setup();
    await user.click(await screen.findByRole('button', { name }));
    expect(await screen.findByTestId('address')).toHaveTextContent(
      `/buy/start-up/annual/${ids.plan}?service=${ids.service}`,
    );
  },
);

test('the choice is remembered in words for the screens in between', async () => {
  setup();
  await waitFor(() => expect(readChoice()).toEqual({ path: reviewPath, label: 'Start up · Expansion · ₹1,59,300' }));
});

test('loading shows three and two skeletons; a service without add-ons says so', async () => {
  const { container } = setup({
    details: planDetails({ subscription_plan_services: [planService({ subscription_plan_add_ons_services: [] })] }),
  });
  expect(container.querySelectorAll('[data-skeleton="service"]')).toHaveLength(3);
  expect(container.querySelectorAll('[data-skeleton="add-on"]')).toHaveLength(2);
  expect(await screen.findByText('This plan has no add-ons.')).toBeVisible();
});

test('a plan that is gone leads to the others; a failed load can be tried again', async () => {
  refuse('get', '/subscription-plan/details/{id}', 404);
  const { unmount } = renderRoutes(routes, { at });
  expect(await screen.findByText('This plan is no longer on offer.')).toBeVisible();
  unmount();
  refuse('get', '/subscription-plan/details/{id}', 500, { request_id: 'req-9' });
  renderRoutes(routes, { at });
  expect(await screen.findByText('Request id: req-9')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Retry' })).toBeVisible();
});

test('a total that cannot be loaded says so in the bar and can be tried again', async () => {
  answer('get', '/subscription-plan/details/{id}', [planDetails()]);
  refuse('post', '/subscription-plan/quote', 503);
  const { user } = renderRoutes(routes, { at });
  expect(await within(await bar()).findByText(/The price could not be loaded/)).toBeVisible();
  answer('post', '/subscription-plan/quote', preview());
  await user.click(within(await bar()).getByRole('button', { name: 'Retry' }));
  expect(await within(await bar()).findByText('₹1,59,300')).toBeVisible();
});

test('the screen obeys the accessibility rules', async () => {
  const { container } = setup();
  await within(await bar()).findByText('₹1,59,300');
  expect(await accessibilityFaults(container)).toEqual([]);
});
