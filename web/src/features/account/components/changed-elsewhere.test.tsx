import { act, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { startSession } from '@/lib/session/session';
import { franchiserUser } from '@/testing/factories';
import { profile } from '@/testing/security';
import { answer } from '@/testing/server';
import { address, setup, store } from './account.fixture';
// The page loads these lazily; importing them here makes them available at once.
import './address-tab';
import './store-tab';

beforeEach(() => startSession(franchiserUser({ is_active: true, has_store_details: true })));

const refocus = () => act(() => void document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));

test.each([
  ['/account', '/profile/details/profile', { ...profile, first_name: 'Ravi' }, 'First Name', 'Ravi'],
  [
    '/account?tab=store',
    '/profile/store/details',
    { ...store, store_name: 'Ravi Sweets' },
    'Store Name',
    'Ravi Sweets',
  ],
  ['/account?tab=address', '/profile/address/{id}', [{ ...address, zipcode: '411002' }], 'Pincode', '411002'],
] as const)('the form at %s follows what another tab has saved', async (at, path, changed, label, value) => {
  setup(at);
  const field = await screen.findByLabelText(label);
  answer('get', path, changed as never);
  refocus();
  await waitFor(() => expect(field).toHaveValue(value));
});

test('a save of this tab itself shows no notice of a change elsewhere', async () => {
  const { user } = setup();
  const field = await screen.findByLabelText('First Name');
  answer('post', '/profile/update/profile', { ...profile, first_name: 'Asha Rani' }, 'Saved.');
  await user.type(field, '  Rani');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(field).toHaveValue('Asha Rani'));
  expect(screen.queryByText(/changed elsewhere/)).not.toBeInTheDocument();
});

test('a change of another tab is not overwritten unseen', async () => {
  const { user } = setup('/account?tab=address');
  const landmark = await screen.findByLabelText(/^Landmark/);
  await user.type(landmark, ' Gate 2');
  answer('get', '/profile/address/{id}', [{ ...address, zipcode: '411002' }]);
  refocus();
  expect(await screen.findByText(/changed elsewhere/)).toBeVisible();
  expect(landmark).toHaveValue('Opp. City Mall Gate 2');
  await user.click(screen.getByRole('button', { name: 'Load the new details' }));
  expect(landmark).toHaveValue('Opp. City Mall');
  expect(screen.getByLabelText('Pincode')).toHaveValue('411002');
});
