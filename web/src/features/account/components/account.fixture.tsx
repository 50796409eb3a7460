import { signedIn } from '@/testing/factories';
import { renderRoutes } from '@/testing/render';
import { profile } from '@/testing/security';
import { answer } from '@/testing/server';
import { AccountPage } from './account-page';

export const routes = [{ path: 'account', element: <AccountPage /> }];
export const store = {
  id: '019ae0c2-9f00-7a11-8f00-4b1d2c3e5018',
  franchiser_id: '019ae0c2-9f00-7a11-8f00-4b1d2c3e4fb5',
  store_username: '9876543210',
  store_name: 'Asha Sweets',
  store_type: 'food',
  password: null,
  password_set: true,
};
export const address = {
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

/** Opens the account with all that its tabs load. */
export function setup(at = '/account') {
  answer('get', '/profile/details/profile', profile);
  answer('get', '/profile/store/details', store);
  answer('get', '/profile/address/{id}', [address]);
  answer('get', '/business', [
    { id: 'food', name: 'Food' },
    { id: 'retail', name: 'Retail' },
  ]);
  answer('get', '/country', [{ id: 'IN', name: 'India' }]);
  answer('get', '/state/{id}', [{ id: '27', name: 'Maharashtra' }]);
  answer('get', '/city/{id}', [{ id: '27-pune', name: 'Pune' }]);
  return renderRoutes(routes, { at, session: signedIn() });
}
