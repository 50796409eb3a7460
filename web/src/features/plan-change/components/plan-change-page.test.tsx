import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { components } from '@/lib/api/schema.gen';
import { startSession } from '@/lib/session/session';
import { franchiserUser } from '@/testing/factories';
import { nextBill, preview as paymentPreview } from '@/testing/payment-factories';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { answer, refuse } from '@/testing/server';
import { ids, subscription, tenant } from '@/testing/subscription-factories';
import { PlanChangePage } from './plan-change-page';

type Schemas = components['schemas'];

const app = { id: ids.owned, add_ons_service_name: 'Users app', desc: 'an app for your customers' };

function option(change: Partial<Schemas['ChangeOption']>): Schemas['ChangeOption'] {
  return {
    plan_id: ids.plan,
    plan_name: 'Pinnacle',
    service_name: 'Apex',
    plan_services_id: ids.otherService,
    plan_type: 'yearly',
    franchise_limit: 36,
    begins: 'now',
    on: '2026-11-22',
    plan_renew_on: '2027-11-22',
    pay_now: '₹1,03,763.70',
    term_total: '₹3,18,600',
    list_price: '₹3,00,000',
    add_ons_service_id: [ids.usersAddOn],
    staying_add_ons: [{ label: 'Users app', type: 'add_on', value: '₹1,20,000' }],
    ending_add_ons: [],
    dropped_add_ons: [],
    unused_covers: false,
    ...change,
  };
}

const options = [
  option({ plan_name: 'Growth', plan_services_id: ids.service, begins: 'current', pay_now: '₹0', term_total: '₹0' }),
  option({}),
  option({
    plan_name: 'Start up',
    service_name: 'Expansion',
    plan_services_id: ids.order,
    begins: 'renewal',
    on: '2027-11-22',
    pay_now: '₹0',
    add_ons_service_id: [],
    staying_add_ons: [],
    dropped_add_ons: [app],
  }),
];

const scheduled = {
  id: ids.order,
  plan_name: 'Start up',
  service_name: 'Expansion',
  plan_type: 'yearly' as const,
  on: '2027-11-22',
  dropped_add_ons: [app],
  franchise_limit: 18,
};

function setup(
  change: Partial<Schemas['PlanChange']> = {},
  confirming: { transaction_id: string; amount: string }[] = [],
) {
  startSession(franchiserUser({ is_active: true }));
  answer('get', '/subscription/dashboard', {
    subscription: subscription(),
    tenant: tenant(),
    add_ons_services: [],
    held_payments: [],
    confirming_payments: confirming,
  });
  answer('get', '/subscription/renewals', nextBill());
  const asked = answer('get', '/subscription/plan-change', {
    subscription_id: ids.subscription,
    plan_name: 'Growth',
    service_name: 'Apex',
    plan_type: 'yearly',
    plan_renew_on: '2027-11-22',
    franchise_limit: 46,
    add_ons_services: [app],
    cancelled_add_ons: [],
    scheduled_change: null,
    options,
    ...change,
  });
  const page = renderRoutes([{ path: 'dashboard/change-plan', element: <PlanChangePage /> }], {
    at: '/dashboard/change-plan',
  });
  return { ...page, asked };
}

test('shows the start and the price of each plan, and compares it with the current plan', async () => {
  const { user, container } = setup();
  const larger = await screen.findByRole('radio', {
    name: /Apex up to 36 franchises Now ₹1,03,763\.70 renews at ₹3,18,600 yearly List price ₹3,00,000 before GST and add-ons, less the annual discount/,
  });
  expect(screen.getByRole('radio', { name: /Your plan now/ })).toBeDisabled();
  expect(screen.getByRole('checkbox', { name: /^Users app/ })).toBeChecked();
  await user.click(larger);
  const table = screen.getByRole('table', { name: 'What changes' });
  expect(within(table).getByRole('row', { name: /^Plan Growth · Apex Pinnacle · Apex$/ })).toBeVisible();
  expect(within(table).getByRole('row', { name: /^Add-ons Users app Users app, ₹1,20,000 yearly$/ })).toBeVisible();
  expect(await accessibilityFaults(container)).toEqual([]);

  const preview = answer('post', '/subscription/payments/details', paymentPreview({ kind: 'upgrade' }));
  await user.click(screen.getByRole('button', { name: 'Review and pay ₹1,03,763.70' }));
  expect(await screen.findByRole('dialog', { name: 'Payment Details' })).toBeVisible();
  expect(preview.bodies).toEqual([
    { plan_type: 'yearly', plan_services_id: ids.otherService, add_ons_service_id: [ids.usersAddOn] },
  ]);
});

test('the bar of a narrow screen says what is chosen and due now, and opens what changes', async () => {
  const { user } = setup();
  const bar = await screen.findByRole('button', { name: /^Choose a plan .*What changes$/ });
  await user.click(screen.getByRole('radio', { name: /Now ₹1,03,763\.70/ }));
  expect(bar).toHaveAccessibleName('Pinnacle · Apex ₹1,03,763.70 to pay now What changes');
  expect(bar).toHaveAttribute('aria-expanded', 'false');
  await user.click(bar);
  expect(bar).toHaveAttribute('aria-expanded', 'true');
  await user.click(screen.getByRole('radio', { name: /Expansion .*From 22 Nov 2027/ }));
  expect(bar).toHaveAccessibleName('Start up · Expansion From 22 Nov 2027, ₹0 now What changes');
});

test('a smaller plan costs nothing now and names the add-ons that end', async () => {
  const { user } = setup();
  await user.click(await screen.findByRole('radio', { name: /Expansion .*From 22 Nov 2027/ }));
  expect(screen.getByText('Users app ends on 22 Nov 2027.')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Review the change' })).toBeVisible();
});

test('a larger plan that waits says why, and a smaller one does not', async () => {
  setup({
    options: [
      options[0] ?? option({ begins: 'current' }),
      option({ begins: 'renewal', on: '2027-11-22', pay_now: '₹0', unused_covers: true }),
      options[2] ?? option({ begins: 'renewal' }),
    ],
  });
  const why = 'The unused part of what you paid covers this plan, so it begins when that is used up.';
  expect(await screen.findByRole('radio', { name: new RegExp(`From 22 Nov 2027.*${why}`) })).toBeEnabled();
  expect(screen.getAllByText(why)).toHaveLength(1);
});

test('an add-on that is taken off stays behind in every price', async () => {
  const { user, asked } = setup();
  await user.click(await screen.findByRole('checkbox', { name: /^Users app/ }));
  expect(await screen.findByRole('checkbox', { name: /^Users app/ })).not.toBeChecked();
  await expect.poll(() => asked.requests.at(-1)?.url).toContain(`without=${ids.owned}`);
});

test('an upgrade names a cancelled add-on that it ends, with its credit, and offers to keep it', async () => {
  const name = 'Users extension';
  const paid = { id: ids.usersAddOn, add_ons_service_name: name, desc: '50,000 more users' };
  const ending = [{ ...paid, paid_until: '2027-11-21', credit: '₹70,800' }];
  const { user, asked, container } = setup({
    cancelled_add_ons: [{ ...paid, ends_on: '2027-11-21' }],
    options: options.map((one) => (one.begins === 'now' ? { ...one, ending_add_ons: ending } : one)),
  });
  await user.click(await screen.findByRole('radio', { name: /Apex up to 36 franchises Now/ }));
  const table = screen.getByRole('table', { name: 'What changes' });
  expect(
    within(table).getByRole('row', { name: /^Add-ons Users app Users extension, until 21 Nov 2027 Users app/ }),
  ).toBeVisible();
  const line = 'Users extension: until 21 Nov 2027 → ends today, ₹70,800 credited with GST';
  expect(screen.getByText(line)).toBeVisible();
  answer('post', '/subscription/payments/details', paymentPreview({ kind: 'upgrade', ending_add_ons: ending }));
  await user.click(screen.getByRole('button', { name: /^Review and pay/ }));
  const review = await screen.findByRole('dialog', { name: 'Payment Details' });
  expect(await within(review).findByText(line)).toBeVisible();
  await user.click(within(review).getByRole('button', { name: 'Close' }));
  const keep = screen.getByRole('checkbox', { name: /^Users extension Cancelled, paid until 21 Nov 2027/ });
  expect(keep).not.toBeChecked();
  await user.click(keep);
  expect(keep).toBeChecked();
  await expect.poll(() => asked.requests.at(-1)?.url).toContain(`keep=${ids.usersAddOn}`);
  expect(await accessibilityFaults(container)).toEqual([]);
});

test('a change that waits is told with its effects and can be undone', async () => {
  const { user } = setup({ scheduled_change: scheduled });
  expect(await screen.findByText(/^Your plan changes to Start up · Expansion, yearly, on 22 Nov 2027/)).toBeVisible();
  expect(screen.getByText(/Until 21 Nov 2027 you keep: Users app\. Then it ends\./)).toBeVisible();
  refuse('delete', '/subscription/plan-change/{id}', 409, {
    code: 'change_done',
    message: 'This change has already taken effect.',
  });
  await user.click(screen.getByRole('button', { name: 'Undo this change' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('This change has already taken effect.');
  const off = answer('delete', '/subscription/plan-change/{id}', null, 'The change is called off.');
  await user.click(screen.getByRole('button', { name: 'Undo this change' }));
  expect(await screen.findByText('The change is called off.')).toBeVisible();
  expect(off.requests[0]?.url).toContain(ids.order);
});

test('while a payment is being confirmed nothing is undone and nothing paid', async () => {
  const { user } = setup({ scheduled_change: scheduled }, [{ transaction_id: 'TXN1', amount: '₹1,59,300' }]);
  expect(await screen.findByText(/Your payment of ₹1,59,300 is being confirmed/)).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Undo this change' })).not.toBeInTheDocument();
  answer('post', '/subscription/payments/details', paymentPreview({ kind: 'upgrade' }));
  await user.click(screen.getByRole('radio', { name: /Now ₹1,03,763\.70/ }));
  await user.click(screen.getByRole('button', { name: /^Review and pay/ }));
  const details = await screen.findByRole('dialog', { name: 'Payment Details' });
  expect(await within(details).findByText(/is being confirmed/)).toBeVisible();
  expect(within(details).queryByRole('button', { name: /^Pay ₹/ })).not.toBeInTheDocument();
});

test('without a plan to change the way leads to the plans', async () => {
  startSession(franchiserUser({ is_active: true }));
  answer('get', '/subscription/dashboard', {
    subscription: null,
    tenant: null,
    add_ons_services: [],
    held_payments: [],
    confirming_payments: [],
  });
  answer('get', '/subscription/plan-change', null);
  renderRoutes([{ path: 'dashboard/change-plan', element: <PlanChangePage /> }], { at: '/dashboard/change-plan' });
  expect(await screen.findByTestId('address')).toHaveTextContent('/pricing');
});

test('before a change is confirmed it is said that an announced debit is called off', async () => {
  const { user } = setup();
  const debit = { on: '2027-11-20', amount: '₹3,18,600', in_progress: false, due: false };
  answer('get', '/subscription/renewals', nextBill({ debit }));
  answer('post', '/subscription/payments/details', paymentPreview({ kind: 'upgrade' }));
  await user.click(await screen.findByRole('radio', { name: /Apex up to 36 franchises Now/ }));
  await user.click(screen.getByRole('button', { name: /^Review and pay/ }));
  const dialog = await screen.findByRole('dialog', { name: 'Payment Details' });
  expect(
    await within(dialog).findByText(/^A debit of ₹3,18,600 is announced for 20 Nov 2027\. This change cancels it/),
  ).toBeVisible();
});
