import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { startSession } from '@/lib/session/session';
import { franchiserUser } from '@/testing/factories';
import { renderRoutes } from '@/testing/render';
import { ProfileMenu } from './profile-menu';

test.each([
  ['an owner of one account', {}, false],
  ['an owner who belongs to another’s too', { other_accounts: true }, true],
  ['a member', { role: 'manager', account_name: 'Asha Sweets LLP', other_accounts: true }, true],
] as const)('%s', async (_who, change, offered) => {
  startSession(franchiserUser(change));
  const { user } = renderRoutes([{ path: 'here', element: <ProfileMenu /> }]);
  await user.click(await screen.findByRole('button', { name: /Account menu/ }));
  expect(screen.queryByRole('link', { name: 'Switch account' }) !== null).toBe(offered);
});
