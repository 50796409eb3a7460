import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { getSession, startSession } from '@/lib/session/session';
import { franchiserUser, signedIn } from '@/testing/factories';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { profile } from '@/testing/security';
import { answer, refuse } from '@/testing/server';
import { noPlan } from '@/testing/subscription-factories';
import { address, routes, setup, store } from './account.fixture';

beforeEach(() => startSession(franchiserUser({ is_active: true, has_store_details: true })));

test('an account that is to be erased is told so, and kept from here', async () => {
  startSession(franchiserUser({ is_active: true, has_store_details: true, erase_on: '2026-11-28' }));
  setup();
  expect(await screen.findByText(/^Your account will be erased on 28 Nov 2026\./)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Keep my account' })).toBeVisible();
});

test('three tabs in the address, moved through with the arrow keys', async () => {
  const { user, router } = setup();
  await screen.findByLabelText('First Name');
  screen.getByRole('tab', { name: 'Profile' }).focus();
  await user.keyboard('{ArrowRight}');
  expect(router.state.location.search).toBe('?tab=store');
  expect(await screen.findByLabelText('Store Name')).toHaveValue('Asha Sweets');
  expect(screen.getByRole('tab', { name: 'Store Details' })).toHaveFocus();
  await user.keyboard('{End}');
  expect(router.state.location.search).toBe('?tab=address');
});

test('mobile and e-mail are shown but not changed; a changed name is saved and shown everywhere', async () => {
  const update = answer('post', '/profile/update/profile', { ...profile, first_name: 'Usha' }, 'Profile updated.');
  answer('get', '/session', signedIn({ first_name: 'Usha' }));
  const { user } = setup();
  const first = await screen.findByLabelText('First Name');
  expect(screen.getByLabelText('Mobile number')).toHaveAttribute('readonly');
  expect(screen.getByLabelText('Email')).toHaveAttribute('readonly');
  await user.clear(first);
  await user.type(first, 'Usha7{Enter}');
  expect(await screen.findByText('Profile updated.')).toBeVisible();
  expect(update.bodies).toEqual([{ first_name: 'Usha', last_name: 'Kulkarni' }]);
  expect(getSession().user?.first_name).toBe('Usha');
});

test('saving an unchanged profile sends nothing and says so', async () => {
  const update = answer('post', '/profile/update/profile', profile);
  const { user } = setup();
  await screen.findByLabelText('First Name');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Nothing was changed, so there was nothing to save.')).toHaveAttribute(
    'role',
    'status',
  );
  expect(update.bodies).toHaveLength(0);
});

test.each([
  ['', 'First Name: Name can not be empty.'],
  ['A&sha', "First Name: Please use letters, spaces and . ' - only"],
])('the name %j is refused: %s', async (name, message) => {
  const { user } = setup();
  const first = await screen.findByLabelText('First Name');
  await user.clear(first);
  if (name) await user.type(first, name);
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(screen.getByRole('link', { name: message })).toBeVisible();
});

test('unsaved changes are asked about before another tab opens', async () => {
  const { user, router } = setup();
  await user.type(await screen.findByLabelText('First Name'), 'x');
  await user.click(screen.getByRole('tab', { name: 'Store Details' }));
  const dialog = await screen.findByRole('dialog', { name: 'You have unsaved changes' });
  await user.click(within(dialog).getByRole('button', { name: 'Keep editing' }));
  expect(router.state.location.search).toBe('');
  expect(screen.getByLabelText('First Name')).toHaveValue('Ashax');

  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  await user.click(screen.getByRole('tab', { name: 'Store Details' }));
  await user.click(await screen.findByRole('button', { name: 'Leave without saving' }));
  expect(router.state.location.search).toBe('?tab=store');
});

test('the store’s name and type are saved only if one of them changed; its password is neither shown nor sent', async () => {
  const update = answer(
    'post',
    '/profile/store/update',
    { ...store, store_name: 'Asha Mithai' },
    'Store details updated.',
  );
  answer('get', '/session', signedIn({ store_name: 'Asha Mithai' }));
  const { user } = setup('/account?tab=store');
  const name = await screen.findByLabelText('Store Name');
  expect(screen.getByLabelText('Store username')).toHaveAttribute('readonly');
  expect(screen.getByLabelText('Store password')).toBeDisabled();
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText(/Nothing was changed/)).toBeVisible();
  expect(update.bodies).toHaveLength(0);

  await user.clear(name);
  await user.type(name, 'Asha Mithai');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Store details updated.')).toBeVisible();
  expect(update.bodies).toEqual([{ store_username: '9876543210', store_name: 'Asha Mithai', store_type: 'food' }]);
  expect(getSession().storeName).toBe('Asha Mithai');
});

test('a store without a password gets one here', async () => {
  setup();
  answer('get', '/profile/store/details', { ...store, password_set: false });
  const update = answer('post', '/profile/store/update', store, 'Store details updated.');
  const { user } = renderRoutes(routes, { at: '/account?tab=store' });
  await user.type(await screen.findByLabelText('Store password'), 'short');
  await user.click(screen.getAllByRole('button', { name: 'Save' }).at(-1) as HTMLElement);
  expect(
    await screen.findByRole('link', { name: 'Store password: Password needs at least 8 characters' }),
  ).toBeVisible();
  await user.clear(screen.getByLabelText('Store password'));
  await user.type(screen.getByLabelText('Store password'), 'Mango#2026');
  await user.click(screen.getAllByRole('button', { name: 'Save' }).at(-1) as HTMLElement);
  await waitFor(() => expect(update.bodies).toMatchObject([{ store_password: 'Mango#2026' }]));
});

test('with a plan but no store yet, its tab leads to where the store is set up', async () => {
  startSession(franchiserUser({ is_active: true }));
  setup('/account?tab=store');
  expect(await screen.findByTestId('address')).toHaveTextContent('/store-details');
});

test('without a plan the store’s tab leads to the plans and says why', async () => {
  startSession(franchiserUser());
  answer('get', '/subscription/dashboard', noPlan());
  setup('/account?tab=store');
  const elsewhere = await screen.findByTestId('address');
  expect(elsewhere).toHaveTextContent('/pricing');
  expect(elsewhere.dataset.state).toContain('Kindly choose a plan before filling in the store details');
  expect(screen.getByText('Kindly choose a plan before filling in the store details')).toBeVisible();
});

test('saves a changed address, and shows the server’s refusal at its field', async () => {
  const { user } = setup('/account?tab=address');
  const landmark = await screen.findByLabelText(/^Landmark/);
  refuse('post', '/profile/address', 422, {
    code: 'validation_failed',
    messages: { landmark: ['This field can not be empty.'] },
  });
  await user.type(landmark, ' 2');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByRole('link', { name: /This field can not be empty/ })).toBeVisible();

  const save = answer(
    'post',
    '/profile/address',
    { ...address, landmark: 'Opp. City Mall 23' },
    'Business address saved.',
  );
  await user.type(landmark, '3');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Business address saved.')).toBeVisible();
  expect(save.bodies).toMatchObject([{ landmark: 'Opp. City Mall 23', state_id: '27', city_id: '27-pune' }]);
  await user.click(screen.getByRole('tab', { name: 'Profile' }));
  expect(await screen.findByLabelText('First Name')).toBeVisible();
});

test.each([
  ['profile', '/profile/details/profile', 'We could not load your profile.'],
  ['store', '/profile/store/details', 'We could not load your store.'],
  ['address', '/profile/address/{id}', 'We could not load your address.'],
] as const)('the tab %s that cannot be loaded offers Retry', async (tab, path, message) => {
  setup();
  refuse('get', path, 500, { request_id: 'req-4' });
  const { user } = renderRoutes(routes, { at: `/account?tab=${tab}` });
  expect(await screen.findByText(message)).toBeVisible();
  expect(screen.getByText('Request id: req-4')).toBeVisible();
  answer('get', path, tab === 'address' ? [address] : tab === 'store' ? store : profile);
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await waitFor(() => expect(screen.queryByText(message)).not.toBeInTheDocument());
});

test('the tabs obey the accessibility rules', async () => {
  const { container } = setup('/account?tab=store');
  await screen.findByLabelText('Store Name');
  expect(await accessibilityFaults(container)).toEqual([]);
});

test('a profile or a list of store types that cannot be loaded is told as a warning', async () => {
  setup('/account?tab=store');
  refuse('get', '/business', 500);
  expect(await screen.findByText('Warning:')).toBeInTheDocument();
  refuse('get', '/profile/details/profile', 500);
  await userEvent.setup().click(screen.getByRole('tab', { name: 'Profile' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('We could not load your profile.');
  expect(screen.queryByText('Error:')).not.toBeInTheDocument();
});

test('what the server refuses of an address is one warning too, all messages in a row', async () => {
  const { user } = setup('/account?tab=address');
  refuse('post', '/profile/address', 422, {
    message: 'Please check the marked fields.',
    messages: {
      zipcode: ['Please enter valid pincode'],
      landmark: ['Please use at least 2 characters'],
      street: ['Please use at least 2 characters'],
    },
  });
  const landmark = await screen.findByLabelText(/^Landmark/);
  await user.type(landmark, ' Gate');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(landmark).toHaveAccessibleDescription('Error: Please use at least 2 characters'));
  expect(screen.getByText('Please enter valid pincode Please use at least 2 characters')).toHaveTextContent(
    /^Warning:/,
  );
  expect(screen.queryByText('Please check the marked fields.')).not.toBeInTheDocument();
});
