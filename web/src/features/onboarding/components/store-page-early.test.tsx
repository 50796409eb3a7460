import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { startSession } from '@/lib/session/session';
import { franchiserUser, signedIn } from '@/testing/factories';
import { renderRoutes } from '@/testing/render';
import { answer, refuse } from '@/testing/server';
import { StorePage } from './store-page';

test('the mobile number is sent also where the form is sent before it is known after a reload', async () => {
  startSession({ ...franchiserUser({ is_active: true }), mobile: '' });
  answer('get', '/session', signedIn({ is_active: true }));
  answer('get', '/subscription/renewals', null);
  answer('get', '/business', [{ id: 'b-1', name: 'Retail' }]);
  const create = refuse('post', '/tenant/create', 422);
  const { user } = renderRoutes([{ path: 'store-details', element: <StorePage /> }]);
  await user.type(screen.getByLabelText('Store Name'), 'Asha Sweets');
  await user.type(screen.getByLabelText('Store password'), 'Mango#2026');
  await user.click(screen.getByRole('combobox', { name: /^Store type/ }));
  await user.click(await screen.findByRole('option', { name: 'Retail' }));
  await user.click(screen.getByRole('button', { name: 'Next' }));
  await waitFor(() => expect(create.bodies).toMatchObject([{ store_username: '9876543210' }]));
});
