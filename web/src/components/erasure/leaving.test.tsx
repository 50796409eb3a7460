import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { getSession, startSession } from '@/lib/session/session';
import { franchiserUser } from '@/testing/factories';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { answer, refuse } from '@/testing/server';
import { LeavingNotice } from './leaving';

const routes = [{ path: 'here', element: <LeavingNotice /> }];

beforeEach(() => startSession(franchiserUser({ is_active: true, erase_on: '2026-11-28' })));

test('who asked for the erasure is told until when the account lives, and keeps it with one press', async () => {
  const kept = answer('delete', '/profile/erasure', null, 'Your account stays.');
  const { user, container } = renderRoutes(routes);
  expect(
    screen.getByText(
      'Your account is erased on 28 Nov 2026. Until then you can use what is paid, but buy and renew nothing.',
    ),
  ).toBeVisible();
  expect(await accessibilityFaults(container)).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Keep my account' }));
  expect(await screen.findByText('Your account stays.')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Keep my account' })).not.toBeInTheDocument();
  expect(kept.requests).toHaveLength(1);
  expect(getSession().eraseOn).toBeNull();
});

test('a failure to keep the account is told beside the button', async () => {
  refuse('delete', '/profile/erasure', 503, { message: 'Please try again in a minute.' });
  const { user } = renderRoutes(routes);
  await user.click(screen.getByRole('button', { name: 'Keep my account' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('Please try again in a minute.');
  expect(screen.getByRole('button', { name: 'Keep my account' })).toBeVisible();
});

test('everybody else is told nothing', async () => {
  startSession(franchiserUser({ is_active: true }));
  const { container } = renderRoutes(routes);
  await waitFor(() => expect(container).not.toHaveTextContent('erased'));
});
