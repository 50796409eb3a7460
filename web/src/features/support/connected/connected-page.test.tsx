import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { keeping, mock, ok, server } from '@/testing/server';
import type { Webhook } from '../api/connected';
import { ConnectedPage } from './connected-page';
import { ConsoleFrame } from '../shell/console-frame';
import { typedProof, typeProof } from '../shell/console.fixture';
import { at, customerId, world } from '../jobs/jobs.fixture';

const routes = [{ element: <ConsoleFrame />, children: [{ path: 'support/connected', element: <ConnectedPage /> }] }];
const endpoint: Webhook = {
  id: '019ae0c2-9f00-7a11-8f00-4b1d2c3e4f60',
  url: 'https://erp.example.in/hooks',
  description: 'Orders and stock',
  events: [],
  state: 'enabled',
  disabled_for: '',
  failing_since: at,
  old_secret_until: null,
  created_at: at,
  waiting: 1,
  undelivered: 2,
};
const system = {
  id: '019ae0c2-9f00-7a11-8f00-4b1d2c3e4f80',
  label: 'Commissions',
  login_url: 'https://erp.example.in/login',
  redirect_uris: ['https://erp.example.in/callback'],
  dashboard: true,
  state: 'enabled',
  old_secret_until: null,
  created_at: at,
};
const delivery = {
  id: '019ae0c2-9f00-7a11-8f00-4b1d2c3e4f61',
  endpoint_id: endpoint.id,
  event_id: '019ae0c2-9f00-7a11-8f00-4b1d2c3e4f62',
  event: 'subscription.activated',
  customer_id: customerId,
  state: 'failed',
  attempts: 10,
  at,
  last_at: at,
  status: 503,
};

function connected(endpoints: Webhook[] = [endpoint]) {
  const bodies: unknown[] = [];
  server.use(
    mock.get('/api/support/webhooks', () => ok({ endpoints, events: ['account.created', 'tenant.live'] })),
    mock.get('/api/support/sign-in-systems', () => ok({ systems: [system], issuer: 'https://franchise360.example' })),
    mock.post('/api/support/sign-in-systems', keeping(bodies, { system, secret: 'f360s_abc' })),
    mock.post('/api/support/sign-in-systems/{system}/state', keeping(bodies, null)),
    mock.get('/api/support/api-keys', () => ok({ keys: [], scopes: ['entitlements:read'] })),
    mock.get('/api/support/webhook-deliveries', () => ok({ deliveries: [delivery], more: false })),
    mock.get('/api/support/webhook-deliveries/{delivery}', () =>
      ok({
        ...delivery,
        payload: { type: delivery.event, version: 1, timestamp: at, data: {} },
        tries: [{ number: 10, at, took_ms: 84, status: 503, failure: '', answer: 'down for maintenance' }],
      }),
    ),
    mock.post('/api/support/webhooks', keeping(bodies, { endpoint, secret: 'whsec_abc' })),
    mock.post('/api/support/webhooks/{endpoint}/resend', keeping(bodies, { sent: 2 })),
    mock.post('/api/support/api-keys', keeping(bodies, { key: {}, secret: 'f360_abc' })),
  );
  return bodies;
}

test('an admin adds a system, sees its secret once, and has sent again what it missed', async () => {
  world({ role: 'admin' });
  const bodies = connected();
  const { user, container } = renderRoutes(routes, { at: '/support/connected' });
  const card = await screen.findByRole('listitem', { name: 'Orders and stock' });
  expect(card).toHaveTextContent('Fails since');
  expect(
    await screen.findByRole('row', { name: /subscription.activated Orders and stock .* failed \(503\) 10/ }),
  ).toBeVisible();
  expect(await accessibilityFaults(container)).toEqual([]);

  await user.click(screen.getByRole('button', { name: 'Add a connected system' }));
  await waitFor(() => expect(screen.getByLabelText('Address')).toHaveFocus());
  await user.type(screen.getByLabelText('Address'), 'crm.example.in/hooks');
  await user.type(screen.getByLabelText('What it is'), 'CRM');
  await user.click(screen.getByLabelText('tenant.live'));
  await user.type(screen.getByLabelText('Reason'), 'Goes live');
  await typeProof(user);
  expect(await screen.findByText('whsec_abc')).toBeVisible();
  expect(bodies).toEqual([
    {
      url: 'https://crm.example.in/hooks',
      description: 'CRM',
      events: ['tenant.live'],
      reason: 'Goes live',
      ...typedProof,
    },
  ]);
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByText('whsec_abc')).toBeNull());

  await user.click(within(card).getByRole('button', { name: /^Send again what it missed/ }));
  await user.type(await screen.findByLabelText('Reason'), 'It is back{Enter}');
  await waitFor(() => expect(bodies[1]).toMatchObject({ reason: 'It is back' }));

  await user.click(screen.getByRole('button', { name: 'Make an API key' }));
  await user.type(await screen.findByLabelText('What it is for'), 'ERP');
  await user.click(screen.getByLabelText('Report figures'));
  await user.type(screen.getByLabelText('Reason'), 'Goes live');
  await typeProof(user);
  expect(await screen.findByText('f360_abc')).toBeVisible();
  expect(bodies[2]).toEqual({
    label: 'ERP',
    days: 365,
    scopes: ['entitlements:read', 'figures:write'],
    reason: 'Goes live',
    ...typedProof,
  });
});

test('an admin lets a system sign customers in, sees its secret once, and disables it', async () => {
  world({ role: 'admin' });
  const bodies = connected();
  const { user } = renderRoutes(routes, { at: '/support/connected' });
  const card = await screen.findByRole('listitem', { name: 'Sign-in to Commissions' });
  expect(card).toHaveTextContent('Leads there');
  await user.click(screen.getByRole('button', { name: 'Add a sign-in' }));
  await user.type(await screen.findByLabelText('What it is'), 'ERP');
  await user.type(screen.getByLabelText('Where it starts a sign-in'), 'erp.example.in/in');
  await user.type(
    screen.getByLabelText(/^Where people come back to/),
    'erp.example.in/back{Enter}https://b.example.in',
  );
  await user.click(screen.getByLabelText(/leads there/));
  await user.type(screen.getByLabelText('Reason'), 'Goes live');
  await typeProof(user);
  expect(await screen.findByText('f360s_abc')).toBeVisible();
  expect(bodies).toEqual([
    {
      label: 'ERP',
      login_url: 'https://erp.example.in/in',
      redirect_uris: ['https://erp.example.in/back', 'https://b.example.in'],
      dashboard: false,
      reason: 'Goes live',
      ...typedProof,
    },
  ]);
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByText('f360s_abc')).toBeNull());
  await user.click(within(card).getByRole('button', { name: /^Disable/ }));
  await user.type(await screen.findByLabelText('Reason'), 'It is replaced{Enter}');
  await waitFor(() => expect(bodies[1]).toEqual({ state: 'disabled', reason: 'It is replaced' }));
});

test('support looks at a delivery and changes nothing', async () => {
  world();
  connected([{ ...endpoint, state: 'disabled', disabled_for: 'gone' }]);
  const { user } = renderRoutes(routes, { at: '/support/connected' });
  expect(await screen.findByText('Disabled: it answered that it is gone')).toBeVisible();
  await user.click(await screen.findByRole('button', { name: 'Show subscription.activated' }));
  expect(await screen.findByText('Answered 503 in 84 ms')).toBeVisible();
  expect(screen.getByText('down for maintenance')).toBeVisible();
  expect(screen.queryByRole('button', { name: /Enable|Add|Make|Send/ })).toBeNull();
});

test('nothing is sent again to a system that was removed or is disabled', async () => {
  world({ role: 'admin' });
  connected([{ ...endpoint, state: 'disabled', disabled_for: 'gone' }]);
  const { unmount } = renderRoutes(routes, { at: '/support/connected' });
  expect(await screen.findByRole('button', { name: /^Show/ })).toBeVisible();
  expect(await screen.findByRole('button', { name: /^Enable/ })).toBeVisible();
  expect(screen.queryByRole('button', { name: /^Send again/ })).toBeNull();
  unmount();
  connected([]);
  renderRoutes(routes, { at: '/support/connected' });
  expect(await screen.findByRole('row', { name: /Removed system/ })).toBeVisible();
  expect(await screen.findByRole('button', { name: 'Add a connected system' })).toBeVisible();
  expect(screen.queryByRole('button', { name: /^Send again/ })).toBeNull();
});

test('a dialog closes over a system that was disabled meanwhile, and stays closed when it is enabled again', async () => {
  world({ role: 'admin' });
  connected();
  const { user, queryClient } = renderRoutes(routes, { at: '/support/connected' });
  await user.click(await screen.findByRole('button', { name: 'Send a test event Orders and stock' }));
  expect(await screen.findByRole('dialog')).toBeVisible();
  connected([{ ...endpoint, state: 'disabled', disabled_for: 'staff' }]);
  await queryClient.invalidateQueries({ queryKey: ['support', 'webhooks'] });
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.getByText('Disabled by staff')).toBeVisible();
  connected();
  await queryClient.invalidateQueries({ queryKey: ['support', 'webhooks'] });
  expect(await screen.findByRole('button', { name: 'Send a test event Orders and stock' })).toBeVisible();
  expect(screen.queryByRole('dialog')).toBeNull();
});
