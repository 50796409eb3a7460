import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { startSession } from '@/lib/session/session';
import { franchiserUser, signedIn } from '@/testing/factories';
import { renderRoutes } from '@/testing/render';
import { answer } from '@/testing/server';
import { RequireActive, RequireAuth, RequireStore } from './require';

const routes = [
  {
    element: <RequireAuth />,
    children: [
      {
        element: <RequireActive />,
        children: [{ element: <RequireStore />, children: [{ path: 'dashboard', element: <h1>Inside</h1> }] }],
      },
    ],
  },
];

test('sends a visitor without a session to login, with this address as the return path', async () => {
  renderRoutes(routes, { at: '/dashboard?tab=1' });
  expect(await screen.findByTestId('address')).toHaveTextContent(
    `/login?return=${encodeURIComponent('/dashboard?tab=1')}`,
  );
});

test('checks with the server whether the plan became active elsewhere before it redirects', async () => {
  startSession(franchiserUser({ is_active: false, has_store_details: true }));
  answer('get', '/session', signedIn({ is_active: true, has_store_details: true }));
  renderRoutes(routes, { at: '/dashboard' });
  expect(await screen.findByRole('heading', { name: 'Inside' })).toBeVisible();
});

test('without a plan the way leads to the plans, without a store to its details', async () => {
  startSession(franchiserUser());
  answer('get', '/session', signedIn());
  const { unmount } = renderRoutes(routes, { at: '/dashboard' });
  expect(await screen.findByTestId('address')).toHaveTextContent('/pricing');
  unmount();
  startSession(franchiserUser({ is_active: true }));
  renderRoutes(routes, { at: '/dashboard' });
  expect(await screen.findByTestId('address')).toHaveTextContent('/store-details');
});
