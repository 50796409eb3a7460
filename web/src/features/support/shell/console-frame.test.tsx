import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { mock, ok, refused, server } from '@/testing/server';
import { me, noJobs, routes } from './console.fixture';

const work = (groups: object[]) => mock.get('/api/support/work', () => ok({ groups }));

function open(role: string, at = '/support/jobs') {
  server.use(
    mock.get('/api/support/me', () => ok({ ...me, role })),
    mock.get('/api/support/alerts', () => ok({ alerts: [] })),
    work([
      { kind: 'held_payment', title: 'Held payments', link: '', count: 3, rows: [] },
      { kind: 'dispute', title: 'Open disputes', link: '', count: 2, rows: [] },
    ]),
    ...noJobs,
  );
  return renderRoutes(routes, { at });
}

const desksShown = async () =>
  within(await screen.findByRole('navigation', { name: 'Console' }))
    .getAllByRole('link')
    .map(({ textContent }) => textContent);

test('the rail lists the desks of the role, marks the current one, and counts open work', async () => {
  const { container, unmount } = open('admin');
  const nav = await screen.findByRole('navigation', { name: 'Console' });
  expect(await within(nav).findByRole('link', { name: /^Payments\s*5 open$/ })).toHaveAttribute(
    'href',
    '/support/money',
  );
  expect(within(nav).getByRole('link', { name: 'Jobs' })).toHaveAttribute('aria-current', 'true');
  const pages = screen.getByRole('navigation', { name: 'Jobs' });
  expect(
    within(pages)
      .getAllByRole('link')
      .map(({ textContent }) => textContent),
  ).toEqual(['Failed jobs', 'Queues']);
  expect(await accessibilityFaults(container)).toEqual([]);
  unmount();
  const finance = open('finance');
  expect(await desksShown()).not.toContain('Jobs');
  expect(screen.getByRole('link', { name: 'Figures' })).toBeInTheDocument();
  finance.unmount();
  open('support');
  expect(await desksShown()).not.toContain('Figures');
  expect(screen.getByRole('link', { name: 'Jobs' })).toBeInTheDocument();
});

test('the rail collapses to icons, keeps its names, and stays so on this device', async () => {
  const { user, unmount } = open('admin');
  const toggle = await screen.findByRole('button', { name: 'Collapse the rail' });
  const before = toggle.getAttribute('aria-pressed');
  await user.click(toggle);
  expect(toggle).not.toHaveAttribute('aria-pressed', before);
  expect(screen.getByRole('link', { name: 'Customers' })).toBeInTheDocument();
  unmount();
  open('admin');
  expect(await screen.findByRole('button', { name: 'Collapse the rail' })).not.toHaveAttribute('aria-pressed', before);
});

test('a phone opens the desks as a drawer, which Esc closes', async () => {
  const { user } = open('admin');
  await user.click(await screen.findByRole('button', { name: 'Menu' }));
  const drawer = await screen.findByRole('dialog', { name: 'Console' });
  expect(within(drawer).getByRole('link', { name: 'System' })).toBeInTheDocument();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
});

test('g and a letter open a page, except while somebody types', async () => {
  const { user, router } = open('admin');
  await screen.findByRole('navigation', { name: 'Console' });
  await user.type(screen.getByRole('combobox', { name: 'Search or jump to' }), 'gh');
  expect(router.state.location.pathname).toBe('/support/jobs');
  await user.keyboard('{Escape}{Escape}gh');
  await waitFor(() => expect(router.state.location.pathname).toBe('/support'));
});

test('the palette opens pages by name, by other words and with a typing error, and offers what was opened last', async () => {
  const { user, router } = open('admin', '/support');
  server.use(mock.get('/api/support/search', () => ok({ hits: [], more: false })));
  const box = await screen.findByRole('combobox', { name: 'Search or jump to' });
  await user.type(box, 'failed');
  expect(await screen.findByRole('option', { name: 'Failed jobs Jobs Page' })).toHaveAttribute('aria-selected', 'true');
  await user.clear(box);
  await user.type(box, 'gstr1');
  expect(await screen.findByRole('option', { name: /^GST returns/ })).toBeVisible();
  await user.clear(box);
  await user.type(box, 'aprovals');
  expect(await screen.findByRole('option', { name: /^Approvals/ })).toBeVisible();
  await user.clear(box);
  await user.type(box, 'failed{Enter}');
  await waitFor(() => expect(router.state.location.pathname).toBe('/support/jobs'));
  await user.keyboard('gh');
  await waitFor(() => expect(router.state.location.pathname).toBe('/support'));
  await user.keyboard('{Control>}k{/Control}');
  expect(await screen.findByRole('option', { name: 'Failed jobs Jobs Recent' })).toBeVisible();
});

test('the palette names no page that the role may not see', async () => {
  const { user } = open('support', '/support');
  server.use(mock.get('/api/support/search', () => ok({ hits: [], more: false })));
  await user.type(await screen.findByRole('combobox', { name: 'Search or jump to' }), 'figures');
  expect(await screen.findByText(/^No match/)).toBeVisible();
});

test('a page that the role may not see says who may, and asks for nothing', async () => {
  const asked: string[] = [];
  server.use(
    mock.get('/api/support/me', () => ok({ ...me, role: 'finance' })),
    work([]),
    mock.get('/api/support/jobs', ({ request }) => {
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

test('says so if signing out fails, and stays on the page', async () => {
  const { user, router } = open('admin');
  server.use(mock.post('/api/support/logout', () => refused(503, 'Please try again.')));
  await user.click(await screen.findByRole('button', { name: /^Sunita/ }));
  await user.click(screen.getByRole('button', { name: 'Sign out' }));
  expect(await screen.findByText('Please try again.')).toBeVisible();
  expect(router.state.location.pathname).toBe('/support/jobs');
});
