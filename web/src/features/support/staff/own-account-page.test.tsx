import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { mock, ok, refused, server } from '@/testing/server';
import { OwnAccountPage } from './own-account-page';
const session = (id: string, own: boolean) => ({
  id,
  own,
  address: own ? '198.51.100.0/24' : '203.0.113.0/24',
  created_at: '2026-11-20T05:30:00Z',
  seen_at: '2026-11-20T05:30:00Z',
});

function page() {
  const bodies: [string, unknown][] = [];
  const take =
    <Data,>(data: Data, message: string) =>
    async ({ request }: { request: Request }) => {
      const text = await request.text();
      bodies.push([`${request.method} ${new URL(request.url).pathname}`, text ? JSON.parse(text) : null]);
      return ok(data, message);
    };
  server.use(
    mock.get('/api/support/me', () => ok({ id: 's1', name: 'Sunita', email: 'sunita@example.in', role: 'support' })),
    mock.get('/api/support/account', () =>
      ok({ sessions: [session('a', true), session('b', false)], sign_ins: [], passkeys: [] }),
    ),
    mock.post('/api/support/account/password', take(null, 'Your password is changed.')),
    mock.post(
      '/api/support/account/authenticator',
      take({ secret: 'KNKVAUCP', url: 'otpauth://totp/x?secret=KNKVAUCP', sealed: 'AAEC' }, ''),
    ),
    mock.put('/api/support/account/authenticator', take(null, 'Your authenticator is replaced.')),
    mock.post('/api/support/account/sessions/b/end', take(null, 'Ended.')),
  );
  return { bodies, ...renderRoutes(<OwnAccountPage />) };
}

test('a member changes the password, replaces the authenticator and ends another session', async () => {
  const { user, bodies, container } = page();
  expect(await screen.findByText(/This one, from 198\.51\.100\.0\/24/)).toBeVisible();
  expect(screen.getByText('Nobody signed in or tried to.')).toBeVisible();
  expect(await accessibilityFaults(container)).toEqual([]);
  await user.type(screen.getByLabelText('Current password'), 'Mangoes#2027');
  await user.type(screen.getByLabelText('New password, 12 characters or more'), 'Guavas#20271');
  await user.click(screen.getByRole('button', { name: 'Change the password' }));
  await waitFor(() =>
    expect(bodies.at(-1)).toEqual([
      'POST /api/support/account/password',
      { current_password: 'Mangoes#2027', password: 'Guavas#20271' },
    ]),
  );
  await waitFor(() => expect(screen.getByLabelText('Current password')).toHaveValue(''));

  await user.click(screen.getByRole('button', { name: 'Replace the authenticator' }));
  await user.type(await screen.findByLabelText('First code of the app'), '123 456');
  await user.type(screen.getAllByLabelText('Current password').at(-1)!, 'Guavas#20271');
  await user.type(screen.getByLabelText('Current code of your authenticator app'), '654 321');
  await user.click(screen.getByRole('button', { name: 'Use this authenticator' }));
  await waitFor(() =>
    expect(bodies.at(-1)).toEqual([
      'PUT /api/support/account/authenticator',
      { current_password: 'Guavas#20271', current_code: '654321', sealed: 'AAEC', code: '123456' },
    ]),
  );

  await user.click(screen.getByRole('button', { name: 'End the session from 203.0.113.0/24' }));
  await waitFor(() => expect(bodies.at(-1)?.[0]).toBe('POST /api/support/account/sessions/b/end'));
});

test('a wrong password is told where it was typed', async () => {
  const { user } = page();
  server.use(
    mock.post('/api/support/account/password', () =>
      refused(422, {
        message: 'Please check the marked fields.',
        code: 'validation_failed',
        messages: { current_password: ['The password is wrong.'] },
        request_id: 'r',
      }),
    ),
  );
  await user.click(await screen.findByRole('button', { name: 'Change the password' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('The password is wrong.');
});
