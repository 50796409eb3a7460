import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { answer, mock, ok, refuse, refused, server } from '@/testing/server';
import { NotificationBell } from './notification-bell';
import { NotificationsPage } from './notifications-page';
import { StopRemindersPage } from './stop-reminders-page';

const routes = [
  {
    path: 'notifications',
    element: (
      <>
        <NotificationBell />
        <NotificationsPage />
      </>
    ),
  },
];

const row = (n: number, read = false) => ({
  id: `019ae0c2-9f00-7a11-8f00-4b1d2c3e514${n}`,
  kind: 'payment_received',
  title: `We received your payment of ₹${n}`,
  text: 'Renewal of Start up.',
  link: '/subscription_list/FP1',
  at: '2026-11-21T05:30:00Z',
  read,
});

test('lists, counts, pages and marks notifications as read', async () => {
  answer('get', '/notifications/unread', { unread: 2 });
  answer('get', '/notifications', { notifications: [row(1), row(2, true)], next: 'cursor-1', newest: 'newest-1' });
  const { container, user } = renderRoutes(routes);
  expect(await screen.findByRole('link', { name: 'Notifications, 2 not read' })).toBeVisible();
  expect(await screen.findByText('We received your payment of ₹1')).toBeVisible();
  expect(screen.getByRole('link', { name: /Not read: We received your payment of ₹1/ })).toHaveAttribute(
    'href',
    '/subscription_list/FP1',
  );
  expect(await accessibilityFaults(container)).toEqual([]);

  const { requests } = answer('get', '/notifications', { notifications: [row(3, true)], next: null, newest: 'x' });
  await user.click(screen.getByRole('button', { name: 'Show older ones' }));
  expect(await screen.findByText('We received your payment of ₹3')).toBeVisible();
  expect(requests[0]?.url).toContain('after=cursor-1');
  expect(screen.queryByRole('button', { name: 'Show older ones' })).toBeNull();

  answer('get', '/notifications', { notifications: [row(1, true)], next: null, newest: 'newest-1' });
  const { bodies } = answer('post', '/notifications/read', { unread: 0 });
  await user.click(screen.getByRole('button', { name: 'Mark all as read' }));
  expect(await screen.findByRole('link', { name: 'Notifications' })).toBeVisible();
  expect(bodies).toEqual([{ up_to: 'newest-1' }]);
});

test('opening one marks it as read and leads to what it speaks of', async () => {
  answer('get', '/notifications/unread', { unread: 1 });
  answer('get', '/notifications', { notifications: [row(1)], next: null, newest: 'newest-1' });
  const { bodies } = answer('post', '/notifications/read', { unread: 0 });
  const { user } = renderRoutes(routes);
  await user.click(await screen.findByRole('link', { name: /₹1/ }));
  expect(await screen.findByTestId('address')).toHaveTextContent('/subscription_list/FP1');
  await expect.poll(() => bodies).toEqual([{ ids: [row(1).id] }]);
});

test('nothing yet, and a list that cannot be loaded, say so', async () => {
  answer('get', '/notifications/unread', { unread: 0 });
  answer('get', '/notifications', { notifications: [], next: null, newest: null });
  const { unmount } = renderRoutes(routes);
  expect(await screen.findByText('Nothing yet.')).toBeVisible();
  unmount();
  refuse('get', '/notifications', 503, { message: 'Try again.' });
  renderRoutes(routes);
  expect(await screen.findByRole('button', { name: 'Retry' })).toBeVisible();
});

test('reminders by e-mail are stopped by a button, not by opening the link', async () => {
  const bodies: string[] = [];
  server.use(
    mock.post('/reminders/stop/{token}', async ({ request, params }) => {
      bodies.push(`${String(params.token)} ${await request.text()}`);
      return ok(null, 'No more reminders by e-mail.');
    }),
  );
  const stop = [{ path: 'stop-reminders/:token', element: <StopRemindersPage /> }];
  const { user, unmount } = renderRoutes(stop, { at: '/stop-reminders/abc' });
  const button = await screen.findByRole('button', { name: 'Stop reminders by e-mail' });
  expect(bodies).toEqual([]);
  await user.click(button);
  expect(await screen.findByText('No more reminders by e-mail.')).toBeVisible();
  expect(bodies).toEqual(['abc List-Unsubscribe=One-Click']);
  unmount();
  server.use(mock.post('/reminders/stop/{token}', () => refused(404, { message: 'x' })));
  const again = renderRoutes(stop, { at: '/stop-reminders/abc' });
  await again.user.click(await screen.findByRole('button', { name: 'Stop reminders by e-mail' }));
  expect(await screen.findByText(/This link does not work/)).toBeVisible();
});
