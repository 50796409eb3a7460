import { screen } from '@testing-library/react';
import { signedIn } from '@/testing/factories';
import { renderRoutes } from '@/testing/render';
import { answer } from '@/testing/server';
import { AddressPage } from './address-page';

export const place = {
  address_components: [
    { types: ['postal_code'], long_name: '411001' },
    { types: ['locality'], long_name: 'Pune' },
    { types: ['administrative_area_level_1'], long_name: 'Maharashtra' },
    { types: ['country'], long_name: 'India' },
  ],
  geometry: { location: { lat: 18.52, lng: 73.85 } },
  formatted_address: 'Camp, Pune, Maharashtra 411001, India',
  country_id: 'IN',
  state_id: '27',
  city_id: '27-pune',
};

export function lists() {
  answer('get', '/country', [{ id: 'IN', name: 'India' }]);
  answer('get', '/state/{id}', [
    { id: '27', name: 'Maharashtra' },
    { id: '29', name: 'Karnataka' },
    { id: '07', name: 'Delhi' },
    { id: '33', name: 'Tamil Nadu' },
  ]);
  answer('get', '/city/{id}', [
    { id: '27-pune', name: 'Pune' },
    { id: '27-mumbai', name: 'Mumbai' },
  ]);
}

export const uuid4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

export async function setup(at = '/store-details/address', existing: object[] = [], state?: object) {
  lists();
  answer('get', '/profile/address/{id}', existing as never);
  const view = renderRoutes([{ path: 'store-details/address', element: <AddressPage /> }], {
    at,
    state,
    session: signedIn(),
  });
  await screen.findByLabelText('Location');
  return view;
}

export type View = Awaited<ReturnType<typeof setup>>;
