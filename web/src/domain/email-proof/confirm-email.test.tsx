import { screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { startSession } from '@/lib/session/session';
import { franchiserUser } from '@/testing/factories';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { profile } from '@/testing/security';
import { answer } from '@/testing/server';
import { ConfirmEmailBanner, InvoiceByEmail } from './confirm-email';

const routes = [
  { path: 'dashboard', element: <ConfirmEmailBanner /> },
  { path: 'checkout/result/success', element: <InvoiceByEmail /> },
];

beforeEach(() => {
  sessionStorage.clear();
  startSession(franchiserUser({ is_active: true }));
});

test('after a purchase the buyer is asked to confirm the address, and can have the link sent again', async () => {
  answer('get', '/profile/details/profile', { ...profile, email_state: 'unproved' });
  answer('post', '/profile/email/proof', { resend_after: 59 }, 'We have sent a link to your e-mail address.');
  const { user, container } = renderRoutes(routes, { at: '/checkout/result/success' });
  expect(await screen.findByText('Where shall we send the invoice? Confirm asha@example.in')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Send the link again' }));
  expect(await screen.findByText('We have sent a link to your e-mail address.')).toBeVisible();
  expect(await accessibilityFaults(container)).toEqual([]);
});

test('the banner stays until the address is confirmed, and can be closed for the session', async () => {
  answer('get', '/profile/details/profile', { ...profile, email_state: 'unproved' });
  const { user, unmount } = renderRoutes(routes, { at: '/dashboard' });
  expect(await screen.findByText(/^Confirm asha@example\.in: open the link/)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Later' }));
  expect(screen.queryByText(/^Confirm asha/)).not.toBeInTheDocument();
  unmount();
  const asked = answer('get', '/profile/details/profile', { ...profile, email_state: 'unproved' });
  renderRoutes(routes, { at: '/dashboard' });
  await expect.poll(() => asked.requests.length).toBe(1);
  expect(screen.queryByText(/^Confirm asha/)).not.toBeInTheDocument();
});

test.each(['proved', 'off'] as const)('an address whose state is %s needs no confirmation', async (state) => {
  const asked = answer('get', '/profile/details/profile', { ...profile, email_state: state });
  renderRoutes(routes, { at: '/dashboard' });
  await expect.poll(() => asked.requests.length).toBe(1);
  expect(screen.queryByText(/asha@example\.in/)).not.toBeInTheDocument();
});
