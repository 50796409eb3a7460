import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { paymentSession, preview } from '@/testing/payment-factories';
import { press } from '@/testing/press';
import { answer, refuse } from '@/testing/server';
import { ids, ownedAddOn } from '@/testing/subscription-factories';
import { setup, signIn } from './dashboard.fixture';

beforeEach(signIn);

const offered = {
  id: ids.addOn,
  add_ons_service_name: 'Franchise extension',
  limit: 10,
  monthly_amount: '₹7,000',
  yearly_amount: '₹84,000',
  monthly_amount_value: 7000,
  yearly_amount_value: 84000,
  payable_amount: '₹42,115.07',
  payable_amount_value: 42115.07,
  owned: 0,
};

test('an add-on is cancelled only after the question, and the answer takes its place', async () => {
  const update = answer(
    'put',
    '/subscription/add-ons-services/update/{id}',
    [ownedAddOn({ next_billing_cycle_status: 0 })],
    'This will be updated in the next billing cycle.',
  );
  const { user } = setup();
  await user.click(await screen.findByRole('button', { name: 'Cancel Franchise extension' }));
  const dialog = await screen.findByRole('dialog', { name: 'Cancel Franchise extension' });
  expect(dialog).toHaveTextContent('Are you sure you want to cancel this add-on?');
  expect(dialog).toHaveTextContent('This will be updated in the next billing cycle. It stays yours until 20 Nov 2027.');
  await user.click(within(dialog).getByRole('button', { name: 'Cancel add-on' }));
  await waitFor(() => expect(update.bodies).toEqual([{ status: 0 }]));
  expect(await screen.findByText('Ends on 20 Nov 2027')).toBeVisible();
  expect(await screen.findByRole('button', { name: 'Reactivate Franchise extension' })).toBeVisible();
});

test('keeping the add-on changes nothing', async () => {
  const update = answer('put', '/subscription/add-ons-services/update/{id}', []);
  const { user } = setup();
  await user.click(await screen.findByRole('button', { name: 'Cancel Franchise extension' }));
  await user.click(await screen.findByRole('button', { name: 'Keep add-on' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(update.bodies).toHaveLength(0);
});

test('a cancelled add-on is reactivated after its question; a refusal stays in the dialog', async () => {
  const { user } = setup({ addOns: [ownedAddOn({ next_billing_cycle_status: 0 })] });
  await user.click(await screen.findByRole('button', { name: 'Reactivate Franchise extension' }));
  const dialog = await screen.findByRole('dialog');
  expect(dialog).toHaveTextContent('Do you want to keep this add-on?');
  refuse('put', '/subscription/add-ons-services/update/{id}', 409, {
    code: 'plan_expired',
    message: 'Plan Expired On: 21 Nov 2027',
  });
  await user.click(within(dialog).getByRole('button', { name: 'Reactivate' }));
  expect(await within(dialog).findByRole('alert')).toHaveTextContent('Plan Expired On: 21 Nov 2027');
  const update = answer('put', '/subscription/add-ons-services/update/{id}', [ownedAddOn()]);
  await user.click(within(dialog).getByRole('button', { name: 'Reactivate' }));
  await waitFor(() => expect(update.bodies).toEqual([{ status: 1 }]));
});

test('add-ons are bought by ticking them, seeing the server’s total and the details', async () => {
  answer('get', '/subscription/add-ons-services/{id}', [{ ...offered, owned: 1 }]);
  answer(
    'post',
    '/subscription/add-ons-services/payments/details',
    preview({ kind: 'add_on', total: '₹49,695.78', expected_total: 4969578 }),
  );
  const request = answer('post', '/subscription/add-ons-services/payments/request', paymentSession());
  const { user } = setup();
  await user.click(await screen.findByRole('button', { name: 'Add add-ons' }));
  const dialog = await screen.findByRole('dialog', { name: 'Add add-ons' });
  await within(dialog).findByRole('checkbox', { name: /Franchise extension/ });
  expect(dialog).toHaveTextContent('Total to pay₹0');
  await user.click(within(dialog).getByRole('button', { name: 'Secure Payment' }));
  expect(within(dialog).getByRole('alert')).toHaveTextContent('Choose at least one add-on.');

  await user.click(within(dialog).getByRole('checkbox', { name: /Franchise extension/ }));
  expect(await within(dialog).findByText('₹49,695.78')).toBeVisible();
  await user.click(within(dialog).getByRole('button', { name: 'Secure Payment' }));
  await press(user, await screen.findByRole('button', { name: 'Make Payment · ₹49,695.78' }));
  expect(await screen.findByTestId('address')).toHaveTextContent('/checkout/pay');
  expect(request.bodies).toEqual([
    { subscription_id: ids.subscription, add_ons_service_id: [ids.addOn], expected_total: 4969578 },
  ]);
});

test('closing the payment details clears the selection', async () => {
  answer('get', '/subscription/add-ons-services/{id}', [offered]);
  answer('post', '/subscription/add-ons-services/payments/details', preview({ kind: 'add_on' }));
  const { user } = setup();
  await user.click(await screen.findByRole('button', { name: 'Add add-ons' }));
  await user.click(await screen.findByRole('checkbox', { name: /Franchise extension/ }));
  await user.click(screen.getByRole('button', { name: 'Secure Payment' }));
  await user.click(
    within(await screen.findByRole('dialog', { name: 'Payment Details' })).getByRole('button', { name: 'Close' }),
  );
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  await user.click(screen.getByRole('button', { name: 'Add add-ons' }));
  expect(await screen.findByRole('checkbox', { name: /Franchise extension/ })).not.toBeChecked();
});

test('an add-on that was charged once is neither cancelled nor offered again', async () => {
  setup({ addOns: [ownedAddOn({ add_ons_service_name: 'Distribution model setup', charged_once: true })] });
  expect(await screen.findByText('Charged once. It stays yours.')).toBeVisible();
  expect(screen.queryByRole('button', { name: /^Cancel/ })).not.toBeInTheDocument();
});
