import { screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { startSession } from '@/lib/session/session';
import { franchiserUser, signedIn } from '@/testing/factories';
import { renderRoutes } from '@/testing/render';
import { answer } from '@/testing/server';
import { noPlan, undecided } from '@/testing/subscription-factories';
import { StorePage } from './store-page';

function setup(dashboard: ReturnType<typeof noPlan>) {
  startSession(franchiserUser());
  answer('get', '/session', signedIn());
  answer('get', '/business', []);
  answer('get', '/subscription/renewals', null);
  answer('get', '/subscription/dashboard', dashboard);
  renderRoutes([{ path: 'store-details', element: <StorePage /> }], { at: '/store-details' });
}

test.each([
  ['being confirmed', noPlan({ confirming_payments: undecided }), /Your payment of ₹1,59,300 is being confirmed/],
  ['under review', noPlan({ held_payments: undecided }), /We are looking at your payment of ₹1,59,300/],
])('no plan is asked for while a payment is %s', async (_, dashboard, words) => {
  setup(dashboard);
  expect(await screen.findByText(words)).toBeVisible();
  expect(screen.getByText(/^You can set up your store as soon as this payment is settled/)).toBeVisible();
  expect(screen.queryByText(/^Kindly choose a plan/)).not.toBeInTheDocument();
  expect(screen.queryByRole('link', { name: 'Explore Our Plans' })).not.toBeInTheDocument();
});

test('the form comes by itself once the payment is confirmed', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  setup(noPlan({ confirming_payments: undecided }));
  expect(await screen.findByText(/is being confirmed/)).toBeVisible();
  answer('get', '/subscription/dashboard', noPlan());
  answer('get', '/session', signedIn({ is_active: true }));
  await vi.advanceTimersByTimeAsync(10_100);
  await waitFor(() => expect(screen.getByLabelText('Store Name')).toBeVisible());
  vi.useRealTimers();
});
