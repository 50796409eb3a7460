import { screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { mock, ok, refused, server } from '@/testing/server';
import { ConnectPage } from './connect-page';

const at =
  '/connect?client_id=019ae0c2-9f00-7a11-8f00-4b1d2c3e4f80&redirect_uri=https%3A%2F%2Ferp.example.in%2Fcallback&response_type=code&scope=openid&state=st&code_challenge=E9&code_challenge_method=S256&unknown=1';

function setup() {
  const leave = vi.fn();
  return { leave, ...renderRoutes([{ path: 'connect', element: <ConnectPage leave={leave} /> }], { at }) };
}

test('the parameters go to the server as they came, once, and the browser goes where it says', async () => {
  const bodies: unknown[] = [];
  server.use(
    mock.post('/connected-systems/sign-in', async ({ request }) => {
      bodies.push(await request.json());
      return ok({ redirect_to: 'https://erp.example.in/callback?code=c' });
    }),
  );
  const { leave } = setup();
  await waitFor(() => expect(leave).toHaveBeenCalledWith('https://erp.example.in/callback?code=c'));
  expect(bodies).toEqual([
    {
      client_id: '019ae0c2-9f00-7a11-8f00-4b1d2c3e4f80',
      redirect_uri: 'https://erp.example.in/callback',
      response_type: 'code',
      scope: 'openid',
      state: 'st',
      code_challenge: 'E9',
      code_challenge_method: 'S256',
    },
  ]);
});

test.each([
  [404, 'unknown_system', 'This system is not connected.', 'To your dashboard'],
  [402, 'plan_ended', 'There is no plan in use.', 'See the plans'],
])('a refusal %i is told and leads on', async (status, code, message, label) => {
  server.use(mock.post('/connected-systems/sign-in', () => refused(status, { message, code, request_id: 'r' })));
  const { leave, container } = setup();
  await screen.findByText(message);
  expect(screen.getByRole('link', { name: label })).toBeVisible();
  expect(leave).not.toHaveBeenCalled();
  expect(await accessibilityFaults(container)).toEqual([]);
  // Not also as a toast.
  expect(screen.getAllByText(message)).toHaveLength(1);
});
