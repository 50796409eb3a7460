import { screen, waitFor } from '@testing-library/react';
import type { ReactElement } from 'react';
import { expect } from 'vitest';
import { startSession } from '@/lib/session/session';
import { franchiserUser, signedIn } from './factories';
import { renderRoutes } from './render';
import { answer } from './server';

export const thisDevice = {
  id: '019ae0c2-9f00-7a11-8f00-4b1d2c3e4f50',
  current: true,
  device: 'Chrome on Android',
  ip_address: '203.0.113.7',
  created_at: '2026-11-21T05:30:00Z',
  last_seen_at: '2026-11-21T06:10:00Z',
  expires_at: '2026-12-21T05:30:00Z',
};

export const profile = {
  first_name: 'Asha',
  last_name: 'Kulkarni',
  mobile: '9876543210',
  email: 'asha@example.in',
  email_state: 'proved',
  language: null,
  document_language: null,
};

export const kept = ['Tax invoices, credit notes and the books behind them, for eight years'];
export const noErasure = { state: 'none', requested_at: null, erase_on: null, delay_days: 7, kept, owed: null };

/** Opens the security page of a user with one session, with or without an authenticator app; `beside` may change answers. */
export async function openSecurity(
  page: ReactElement,
  { totp = false, sessions = [thisDevice], beside = (): unknown => undefined } = {},
) {
  startSession(franchiserUser({ totp_enabled: totp }));
  answer('get', '/session', signedIn({ totp_enabled: totp }));
  answer('get', '/profile/sessions', sessions);
  answer('get', '/profile/details/profile', profile);
  answer('get', '/profile/erasure', noErasure);
  answer('get', '/message-preferences', { reminders_sms: true, reminders_email: true, whatsapp: null });
  answer('get', '/profile/staff-access', { open: [], entries: [], total: 0 });
  beside();
  const view = renderRoutes([{ path: 'account/security', element: page }], {
    session: signedIn({ totp_enabled: totp }),
  });
  await waitFor(() => expect(screen.queryByText(/^Loading /)).not.toBeInTheDocument());
  return view;
}
