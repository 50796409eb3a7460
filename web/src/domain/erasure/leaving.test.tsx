import { act, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { getSession, startSession } from '@/lib/session/session';
import { franchiserUser, signedIn } from '@/testing/factories';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { answer, mock, ok, refuse, refused, server } from '@/testing/server';
import { LeavingNotice } from './leaving';

const routes = [{ path: 'here', element: <LeavingNotice /> }];

beforeEach(() => startSession(franchiserUser({ is_active: true, erase_on: '2026-11-28' })));

test('an account due for erasure sees the date, and one press keeps the account', async () => {
  const kept = answer('delete', '/profile/erasure', null, 'Your account stays.');
  answer('get', '/session', signedIn({ is_active: true }));
  const { user, container } = renderRoutes(routes, { session: signedIn() });
  expect(
    screen.getByText(
      'Your account will be erased on 28 Nov 2026. Until then you can use what you have paid for, but you cannot buy or renew anything.',
    ),
  ).toBeVisible();
  expect(await accessibilityFaults(container)).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Keep my account' }));
  expect(await screen.findByText('Your account stays.')).toBeVisible();
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Keep my account' })).not.toBeInTheDocument());
  expect(kept.requests).toHaveLength(1);
  expect(getSession().eraseOn).toBeNull();
});

test('repeated presses keep the account once, and the page confirms it', async () => {
  let calls = 0;
  server.use(
    mock.delete('/profile/erasure', () => {
      calls += 1;
      return calls === 1
        ? ok(null, 'Your account will not be erased.')
        : refused(409, { message: 'Nothing to withdraw.', code: 'conflict' });
    }),
  );
  answer('get', '/session', signedIn({ is_active: true }));
  renderRoutes(routes, { session: signedIn() });
  const keep = screen.getByRole('button', { name: 'Keep my account' });
  act(() => {
    keep.click();
    keep.click();
  });
  expect(await screen.findByText('Your account will not be erased.')).toBeVisible();
  await waitFor(() => expect(keep).not.toBeInTheDocument());
  expect(calls).toBe(1);
});

test('shows a failure to keep the account, together with the button', async () => {
  refuse('delete', '/profile/erasure', 503, { message: 'Please try again in a minute.' });
  const { user } = renderRoutes(routes);
  await user.click(screen.getByRole('button', { name: 'Keep my account' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('Please try again in a minute.');
  expect(screen.getByRole('button', { name: 'Keep my account' })).toBeVisible();
});

test('shows nothing to an account without a pending erasure', async () => {
  startSession(franchiserUser({ is_active: true }));
  const { container } = renderRoutes(routes);
  await waitFor(() => expect(container).not.toHaveTextContent('erased'));
});
