import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { endSession, startSession } from '@/lib/session/session';
import { franchiserUser } from '@/testing/factories';
import { setup } from './account.fixture';

function open() {
  startSession(franchiserUser({ is_active: true, has_store_details: true }));
  return setup('/account?tab=address');
}

test('a change of the address outlives the end of the session, and is not lost unasked afterwards', async () => {
  const first = open();
  await first.user.type(await screen.findByLabelText(/^Landmark/), ' Gate 2');
  first.unmount();
  endSession('Unauthorized! Please log in again.');
  const { user } = open();
  expect(await screen.findByLabelText(/^Landmark/)).toHaveValue('Opp. City Mall Gate 2');
  await user.click(screen.getByRole('tab', { name: 'Profile' }));
  expect(await screen.findByRole('dialog')).toBeVisible();
});
