import { screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { keepPaymentMethod } from '@/lib/payment-method';
import { gatewayDetails, paymentSession, preview } from '@/testing/payment-factories';
import { press } from '@/testing/press';
import { answer } from '@/testing/server';
import { noPlan } from '@/testing/subscription-factories';
import { bar, forgetPayment, setup } from './plan-choice.fixture';

beforeEach(forgetPayment);

test('Secure Payment of an open charge lets the customer choose another way to pay it', async () => {
  keepPaymentMethod('upi');
  answer('get', '/subscription/dashboard', noPlan());
  const { user } = setup({ signedIn: true });
  answer('post', '/subscription/payments/details', preview({ gateway_details: gatewayDetails }));
  const request = answer('post', '/subscription/payments/request', paymentSession());
  await within(await bar()).findByText('₹1,59,300');
  await user.click(screen.getByRole('button', { name: 'Secure Payment' }));
  const dialog = await screen.findByRole('dialog', { name: 'Payment Details' });
  expect(request.bodies).toHaveLength(0);
  await user.click(await within(dialog).findByRole('radio', { name: 'Card' }));
  await press(user, within(dialog).getByRole('button', { name: 'Pay ₹1,59,300' }));
  await screen.findByTestId('address');
  expect(request.bodies).toMatchObject([{ payment_method: 'card' }]);
});

test('Secure Payment of a charge that is being confirmed warns not to pay again', async () => {
  answer(
    'get',
    '/subscription/dashboard',
    noPlan({ confirming_payments: [{ transaction_id: 'FP26112100000001', amount: '₹1,59,300' }] }),
  );
  const { user } = setup({ signedIn: true });
  answer('post', '/subscription/payments/details', preview({ gateway_details: gatewayDetails }));
  await within(await bar()).findByText('₹1,59,300');
  await user.click(screen.getByRole('button', { name: 'Secure Payment' }));
  const dialog = await screen.findByRole('dialog', { name: 'Payment Details' });
  expect(await within(dialog).findByText(/Please do not pay again/)).toBeVisible();
  expect(within(dialog).queryByRole('button', { name: /^Pay / })).not.toBeInTheDocument();
});
