import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { endSession, startSession } from '@/lib/session/session';
import { franchiserUser } from '@/testing/factories';
import { renderRoutes } from '@/testing/render';
import { answer } from '@/testing/server';
import { profile } from '@/testing/security';
import { AccountPage } from './account-page';

const address = {
  id: '019ae0c2-9f00-7a11-8f00-4b1d2c3e507c',
  address: '12/4, Second floor',
  street: 'Sunrise Towers, Block B',
  landmark: 'Opp. City Mall',
  country_id: 'IN',
  state_id: '27',
  city_id: '27-pune',
  country: 'India',
  state: 'Maharashtra',
  city: 'Pune',
  zipcode: '411001',
  latitude: null,
  longitude: null,
  location: 'Camp, Pune',
  legal_name: 'Asha Sweets',
  gstin: null,
};

function setup() {
  startSession(franchiserUser({ is_active: true, has_store_details: true }));
  answer('get', '/profile/details/profile', profile);
  answer('get', '/profile/address/{id}', [address]);
  answer('get', '/country', [{ id: 'IN', name: 'India' }]);
  answer('get', '/state/{id}', [{ id: '27', name: 'Maharashtra' }]);
  answer('get', '/city/{id}', [{ id: '27-pune', name: 'Pune' }]);
  return renderRoutes([{ path: 'account', element: <AccountPage /> }], { at: '/account?tab=address' });
}

test('a change of the address outlives the end of the session, and is not lost unasked afterwards', async () => {
  const first = setup();
  await first.user.type(await screen.findByLabelText(/^Landmark/), ' Gate 2');
  first.unmount();
  endSession('Unauthorized! Please log in again.');
  const { user } = setup();
  expect(await screen.findByLabelText(/^Landmark/)).toHaveValue('Opp. City Mall Gate 2');
  await user.click(screen.getByRole('tab', { name: 'Profile' }));
  expect(await screen.findByRole('dialog')).toBeVisible();
});
