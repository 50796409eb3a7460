import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { answer, refuse } from '@/testing/server';
import { SecurityPage } from './security-page';

const routes = [{ path: 'account/security', element: <SecurityPage /> }];
const session = { id: '019ae0c2-9f00-7a11-8f00-4b1d2c3e4f50', current: true, device: 'Chrome on Android', ip_address: '203.0.113.7', created_at: '2026-11-21T05:30:00Z', last_seen_at: '2026-11-21T06:10:00Z', expires_at: '2026-12-21T05:30:00Z' };
const other = { ...session, id: '019ae0c2-9f00-7a11-8f00-4b1d2c3e4f51', current: false, device: 'Firefox on Linux' };

test('another session is ended from its row, one’s own is marked', async () => {
  answer('get', '/profile/sessions', [session, other]);
  const revoke = answer('delete', '/profile/sessions/{id}', null, 'The session is ended.');
  const { user, container } = renderRoutes(routes);
  const end = await screen.findByRole('button', { name: 'End session on Firefox on Linux' });
  expect(screen.getByText('This device')).toBeVisible();
  expect(await accessibilityFaults(container)).toEqual([]);
  answer('get', '/profile/sessions', [session]);
  await user.click(end);
  expect(await screen.findByText('The session is ended.')).toBeVisible();
  expect(revoke.requests[0]?.url).toContain(other.id);
  await waitFor(() => expect(screen.queryByText('Firefox on Linux')).not.toBeInTheDocument());
});

test('everything else is signed out at once, and a refusal stays on the screen', async () => {
  answer('get', '/profile/sessions', [session, other]);
  refuse('delete', '/profile/sessions', 503, { message: 'Please try again in a minute.' });
  const { user } = renderRoutes(routes);
  await user.click(await screen.findByRole('button', { name: 'Sign out everywhere else' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('Please try again in a minute.');
  answer('delete', '/profile/sessions', null, 'You are signed out everywhere else.');
  await user.click(screen.getByRole('button', { name: 'Sign out everywhere else' }));
  expect(await screen.findByText('You are signed out everywhere else.')).toBeVisible();
});
