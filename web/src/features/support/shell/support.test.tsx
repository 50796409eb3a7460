import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { mock, ok, refused, server } from '@/testing/server';
import { me, noJobs, routes } from './console.fixture';
import { errorWords } from '../customers/customer-words';

test('a visitor without a session signs in and returns to the requested page', async () => {
  let inside = false;
  server.use(
    mock.get('/api/support/me', () => (inside ? ok(me) : refused(401, 'no'))),
    mock.get('/api/support/alerts', () => ok({ alerts: [] })),
    ...noJobs,
    mock.post('/api/support/login', async ({ request }) => {
      const typed = (await request.json()) as { code: string };
      if (typed.code !== '123456') return refused(400, 'The e-mail, password or code is not right.');
      inside = true;
      return ok(me);
    }),
  );
  const { user, container } = renderRoutes(routes, { at: '/support/jobs' });
  await user.type(await screen.findByLabelText('E-mail'), 'sunita@example.in');
  await user.type(screen.getByLabelText('Password'), 'Mango#2026#Tree');
  await user.type(screen.getByLabelText('Authenticator code'), '000000');
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('not right');
  expect(await accessibilityFaults(container)).toEqual([]);
  await user.clear(screen.getByLabelText('Authenticator code'));
  await user.type(screen.getByLabelText('Authenticator code'), '123 456{Enter}');
  expect(await screen.findByRole('heading', { name: 'Failed jobs' })).toBeVisible();
});

test('an error is told without the code that only programs need', () => {
  expect(errorWords('unavailable: This is not available just now.: inbox: status 503')).toBe(
    'This is not available just now. inbox: status 503',
  );
  expect(errorWords('inbox: status 503')).toBe('inbox: status 503');
});

test('screens without updates say so, and a colleague whose session ended signs in again', async () => {
  let status = 503;
  let inside = true;
  server.use(
    mock.get('/api/support/me', () => (inside ? ok(me) : refused(401, 'no'))),
    mock.get('/api/support/alerts', () => refused(status, 'down')),
  );
  const { user } = renderRoutes(routes, { at: '/support' });
  const region = await screen.findByRole('region', { name: 'Alerts' });
  expect(region).toHaveTextContent(/may be out of date: .* Request id: r/);
  status = 401;
  inside = false;
  await user.click(within(region).getByRole('button', { name: 'Retry' }));
  expect(await screen.findByRole('heading', { name: 'Franchise 360 Support' })).toBeVisible();
});
