import { screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { keeping, mock, ok, refused, server } from '@/testing/server';
import { JoinPage } from './join-page';

const invitation = {
  name: 'Meera',
  email: 'meera@example.in',
  role: 'finance',
  enrols: false,
  expires_at: '2026-11-24T05:30:00Z',
  authenticator: { secret: 'KNKVAUCP', url: 'otpauth://totp/x?secret=KNKVAUCP', sealed: 'AAEC' },
};

function page(answer: () => Response) {
  location.hash = '#link-1';
  const opened: unknown[] = [];
  server.use(
    mock.post('/api/support/enrolment/open', async ({ request }) => {
      opened.push(await request.json());
      return answer();
    }),
  );
  const routes = [
    { path: '/', element: <JoinPage /> },
    { path: '/support/login', element: <h1>Sign in</h1> },
  ];
  return { opened, ...renderRoutes(routes, { at: '/' }) };
}

afterEach(() => {
  location.hash = '';
});

test('whoever has the link sets a password and connects an app, and signs in', async () => {
  const bodies: unknown[] = [];
  server.use(mock.post('/api/support/enrolment', keeping(bodies, null, 'Your account is made. Sign in.')));
  const { user, container, opened } = page(() => ok(invitation));
  expect(await screen.findByText(/You are invited, Meera/)).toBeVisible();
  expect(opened).toEqual([{ link: 'link-1' }]);
  expect(await accessibilityFaults(container)).toEqual([]);
  await user.type(screen.getByLabelText('Password, 12 characters or more'), 'Mangoes#2027');
  await user.type(screen.getByLabelText('First code of the app'), '123 456');
  await user.click(screen.getByRole('button', { name: 'Make the account' }));
  expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeVisible();
  expect(bodies).toEqual([{ link: 'link-1', password: 'Mangoes#2027', sealed: 'AAEC', code: '123456' }]);
});

test('shows the refusal of a code and keeps the typed text', async () => {
  server.use(
    mock.post('/api/support/enrolment', () =>
      refused(422, {
        message: 'Please check the marked fields.',
        code: 'validation_failed',
        messages: { code: ['The code is wrong.'] },
        request_id: 'r',
      }),
    ),
  );
  const { user } = page(() => ok({ ...invitation, enrols: true }));
  expect(await screen.findByText(/Your authenticator was reset, Meera/)).toBeVisible();
  await user.type(screen.getByLabelText('Password, 12 characters or more'), 'Mangoes#2027');
  await user.click(screen.getByRole('button', { name: 'Set up the sign-in' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('The code is wrong.');
  expect(screen.getByLabelText('Password, 12 characters or more')).toHaveValue('Mangoes#2027');
});

test('a link that is over leads to the sign-in', async () => {
  page(() => refused(422, { message: 'This invitation is over.', code: 'invitation_over', request_id: 'r' }));
  await waitFor(() => expect(screen.getByRole('alert')).toBeVisible());
  expect(screen.getByRole('link', { name: 'Staff sign-in' })).toBeVisible();
});
