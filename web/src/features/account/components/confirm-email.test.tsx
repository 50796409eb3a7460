import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { endSession, startSession } from '@/lib/session/session';
import { franchiserUser, signedIn } from '@/testing/factories';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { answer, refuse } from '@/testing/server';
import { profile } from '@/testing/security';
import { ConfirmEmailPage } from './confirm-email-page';
import { EmailState } from './email-state';

const routes = [
  { path: 'account/confirm-email', element: <ConfirmEmailPage /> },
  { path: 'account/security', element: <EmailState state="unproved" /> },
];

beforeEach(() => {
  sessionStorage.clear();
  startSession(franchiserUser());
  answer('get', '/session', signedIn());
});

test('the link confirms the address by a click, and leaves the address bar', async () => {
  const { bodies } = answer(
    'post',
    '/profile/email/prove',
    { ...profile, email_state: 'proved' },
    'Your e-mail address is confirmed.',
  );
  const { container, router } = renderRoutes(routes, { at: '/account/confirm-email#id.hash' });
  const button = await screen.findByRole('button', { name: 'Confirm this address' });
  expect(bodies).toEqual([]);
  await expect.poll(() => router.state.location.hash).toBe('');
  expect(await accessibilityFaults(container)).toEqual([]);
  await userEvent.click(button);
  expect(await screen.findByText('Your e-mail address is confirmed.')).toBeVisible();
  expect(bodies).toEqual([{ token: 'id.hash' }]);
  expect(sessionStorage.getItem('email-proof')).toBeNull();
});

test('somebody signed out logs in first and finds the link kept', async () => {
  endSession();
  const { unmount } = renderRoutes(routes, { at: '/account/confirm-email#id.hash' });
  const login = await screen.findByRole('link', { name: 'Log in' });
  expect(login).toHaveAttribute('href', `/login?return=${encodeURIComponent('/account/confirm-email')}`);
  unmount();
  startSession(franchiserUser());
  const { bodies } = answer('post', '/profile/email/prove', { ...profile, email_state: 'proved' });
  renderRoutes(routes, { at: '/account/confirm-email' });
  await userEvent.click(await screen.findByRole('button', { name: 'Confirm this address' }));
  await screen.findByRole('link', { name: 'To your account' });
  expect(bodies).toEqual([{ token: 'id.hash' }]);
});

test('a used link says so, and no link says what is missing', async () => {
  refuse('post', '/profile/email/prove', 400, { code: 'email_proof_invalid', message: 'This link was used.' });
  const { unmount } = renderRoutes(routes, { at: '/account/confirm-email#id.hash' });
  await userEvent.click(await screen.findByRole('button', { name: 'Confirm this address' }));
  expect(await screen.findByRole('alert')).toHaveTextContent(/This link was used/);
  unmount();
  sessionStorage.clear();
  renderRoutes(routes, { at: '/account/confirm-email' });
  expect(await screen.findByText(/needs the link from our e-mail/)).toBeVisible();
});

test('the link is sent again, and a refusal is told', async () => {
  answer('post', '/profile/email/proof', { resend_after: 59 }, 'We have sent a link to your e-mail address.');
  renderRoutes(routes, { at: '/account/security' });
  const again = await screen.findByRole('button', { name: 'Send the link again' });
  await userEvent.click(again);
  expect(await screen.findByText('We have sent a link to your e-mail address.')).toBeVisible();
  refuse('post', '/profile/email/proof', 429, { code: 'too_many_requests', message: 'Too many requests.' });
  await userEvent.click(again);
  expect(await screen.findByRole('alert')).toHaveTextContent(/too many requests|try again/i);
});

test('where no e-mail is sent nothing is said of it', () => {
  renderRoutes([{ path: 'account/security', element: <EmailState state="off" /> }], { at: '/account/security' });
  expect(screen.queryByText(/e-mail|link|confirm/i)).not.toBeInTheDocument();
});
