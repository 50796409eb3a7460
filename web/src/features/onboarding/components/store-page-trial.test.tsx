import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { startSession } from '@/lib/session/session';
import { franchiserUser, signedIn } from '@/testing/factories';
import { renderRoutes } from '@/testing/render';
import { answer } from '@/testing/server';
import { subscription } from '@/testing/subscription-factories';
import { StorePage } from './store-page';

test('store details say when the free trial ended, with the way to a plan', async () => {
  const ended = { is_active: true, payment_status: 5 } as const;
  startSession(franchiserUser(ended));
  answer('get', '/session', signedIn(ended));
  answer('get', '/subscription/renewals', null);
  answer('get', '/subscription/dashboard', {
    subscription: subscription({
      state: 'expired',
      payment_type: 'free trial',
      plan_renew_on: '2026-12-05',
      expired_message: 'Plan Expired On: 4 Dec 2026',
    }),
    tenant: null,
    add_ons_services: [],
    held_payments: [],
    confirming_payments: [],
  });
  renderRoutes([{ path: 'store-details', element: <StorePage /> }]);
  const told = await screen.findByText('Your free trial ended on 4 Dec 2026.');
  expect(told.closest('.notice')).toHaveClass('notice-warning');
  expect(screen.getByRole('link', { name: 'Choose a plan' })).toHaveAttribute('href', '/pricing');
});
