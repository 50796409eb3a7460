import { screen, within } from '@testing-library/react';
import { http } from 'msw';
import { expect, test } from 'vitest';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { server } from '@/testing/server';
import { me, noJobs, ok, routes } from './console.fixture';

test('the places stand in five menus, of which the one with the present place is marked, and each role sees its own', async () => {
  let role = 'admin';
  server.use(
    http.get('*/api/support/me', () => ok({ ...me, role })),
    http.get('*/api/support/alerts', () => ok({ alerts: [] })),
    ...noJobs,
  );
  const { user, container, unmount } = renderRoutes(routes, { at: '/support/jobs' });
  const nav = await screen.findByRole('navigation', { name: 'Console' });
  expect(within(nav).getAllByRole('button')).toHaveLength(5);
  expect(within(nav).getByText('Operations').tagName).toBe('B');
  await user.click(within(nav).getByRole('button', { name: 'Payments' }));
  expect(
    within(nav)
      .getAllByRole('link')
      .map(({ textContent }) => textContent),
  ).toEqual(['Money', 'Approvals', 'Bank transfers', 'TDS', 'Settlements']);
  await user.keyboard('{ArrowDown}{ArrowDown}');
  expect(within(nav).getByRole('link', { name: 'Approvals' })).toHaveFocus();
  expect(await accessibilityFaults(container)).toEqual([]);
  unmount();
  role = 'finance';
  const finance = renderRoutes(routes, { at: '/support/jobs' });
  await finance.user.click(await screen.findByRole('button', { name: 'Books' }));
  expect(screen.getByRole('link', { name: 'Figures' })).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Team' })).not.toBeInTheDocument();
  finance.unmount();
  role = 'support';
  const support = renderRoutes(routes, { at: '/support/jobs' });
  await support.user.click(await screen.findByRole('button', { name: 'Books' }));
  expect(screen.getByRole('link', { name: 'Credit notes' })).toBeInTheDocument();
  for (const name of ['Accounts', 'Figures', 'GST returns']) {
    expect(screen.queryByRole('link', { name })).not.toBeInTheDocument();
  }
});

test('a page that the role may not see says who may, and asks for nothing', async () => {
  const asked: string[] = [];
  server.use(
    http.get('*/api/support/me', () => ok({ ...me, role: 'finance' })),
    http.get('*/api/support/jobs', ({ request }) => {
      asked.push(request.url);
      return ok({});
    }),
  );
  renderRoutes(routes, { at: '/support/jobs' });
  expect(await screen.findByText('Your role may not see this page')).toBeVisible();
  expect(screen.getByText('It is for support, auditors and admins.')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Go to the home page' })).toHaveAttribute('href', '/support');
  expect(asked).toEqual([]);
});
