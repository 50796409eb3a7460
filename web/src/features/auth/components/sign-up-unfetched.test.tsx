import { screen, waitFor } from '@testing-library/react';
import { getDefaultStore } from 'jotai';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { answer } from '@/testing/server';

vi.mock('./sign-up-dialog', () => Promise.reject(new TypeError('Failed to fetch dynamically imported module')));

// The page caches a dialog that failed to load, so each test imports fresh modules.
beforeEach(() => void vi.resetModules());
afterEach(() => void vi.resetModules());

test('a code that was sent is asked for after a reload where its dialog could not be fetched before', async () => {
  const { renderRoutes } = await import('@/testing/render');
  const { reloadPage } = await import('@/lib/reload');
  const { pendingCodeAtom } = await import('../state');
  const { SignUpPage } = await import('./sign-up-page');
  answer('post', '/register', { resend_after: 59, expires_in: 600 });
  const silent = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const { user } = renderRoutes([{ path: 'sign-up', element: <SignUpPage /> }], { at: '/sign-up' });
  await user.type(screen.getByLabelText('Email'), 'asha@example.in');
  await user.type(screen.getByLabelText('Password'), 'Mango#2026');
  await user.type(screen.getByLabelText('Mobile number'), '9876543210');
  await user.click(screen.getByRole('checkbox'));
  await user.click(screen.getByRole('button', { name: 'Sign up' }));
  await waitFor(() => expect(reloadPage).toHaveBeenCalled());
  expect(getDefaultStore().get(pendingCodeAtom)?.mobile).toBe('9876543210');
  expect(screen.queryByText('There is a problem')).not.toBeInTheDocument();
  silent.mockRestore();
});
