import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { startSession } from '@/lib/session/session';
import { franchiserUser } from '@/testing/factories';
import { renderRoutes } from '@/testing/render';
import { answer } from '@/testing/server';
import { noPlan, undecided } from '@/testing/subscription-factories';
import { StoreTab } from './store-tab';

test('while the plan’s payment is being confirmed the store’s tab says so and asks for no plan', async () => {
  startSession(franchiserUser());
  answer('get', '/subscription/dashboard', noPlan({ confirming_payments: undecided }));
  renderRoutes([{ path: 'account', element: <StoreTab /> }], { at: '/account' });
  expect(await screen.findByText(/Your payment of ₹1,59,300 is being confirmed/)).toBeVisible();
  expect(screen.queryByText(/^Kindly choose a plan/)).not.toBeInTheDocument();
});
