import { screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { startSession } from '@/lib/session/session';
import { franchiserUser } from '@/testing/factories';
import { nextBill } from '@/testing/payment-factories';
import { renderRoutes } from '@/testing/render';
import { answer } from '@/testing/server';
import { noPlan, undecided } from '@/testing/subscription-factories';
import { card, routes, setup, signIn } from './dashboard.fixture';

beforeEach(signIn);

test.each([
  [{ on: '2027-11-22', amount: '₹1,59,300', in_progress: true, due: false }, 'Automatic renewal in progress'],
  [{ on: '2027-11-24', amount: '₹1,59,300', in_progress: false, due: false }, 'Automatic renewal in progress'],
  [null, 'Payment overdue'],
])('in the days of grace the plan is overdue only where nothing is debited: %j', async (debit, words) => {
  setup({ sub: { state: 'grace', notice: 'Your plan ended on 21 Nov 2027. Renew by 28 Nov 2027 to keep it.' } });
  answer('get', '/subscription/renewals', nextBill({ state: 'grace', can_renew: true, debit }));
  expect(await within(await card('Your plan')).findByText(words)).toBeVisible();
  if (debit) expect(screen.queryByText('Payment overdue')).not.toBeInTheDocument();
});

test('without a store no plan is asked for while its payment is being confirmed', async () => {
  startSession(franchiserUser());
  answer('get', '/subscription/dashboard', noPlan({ confirming_payments: undecided }));
  renderRoutes(routes, { at: '/subscription_store' });
  expect(await screen.findByText(/Your payment of ₹1,59,300 is being confirmed/)).toBeVisible();
  expect(screen.queryByText('Choose a plan first; your store comes with it.')).not.toBeInTheDocument();
});
