import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { server } from '@/testing/server';
import { ok } from './console.fixture';
import { ContactsPage } from './contacts-page';

const contact = {
  id: 'k1',
  name: 'Meera Nair',
  email: 'meera@example.in',
  mobile: '9876543210',
  topic: 'billing',
  message: 'My invoice lacks the GSTIN.',
  status: 'open',
  reply_note: '',
  handled_by: '',
  created_at: '2026-11-21T05:30:00Z',
};

function setup({ at = '/support/contacts', data = [contact] as object[] } = {}) {
  const asked: string[] = [];
  const moved: unknown[] = [];
  server.use(
    http.get('*/api/support/saved-views', () => HttpResponse.json({ status: true, message: '', data: { views: [] } })),
    http.get('*/api/support/me', () => ok({ id: 's1', name: 'Sunita', email: 'sunita@example.in', role: 'support' })),
    http.get('*/api/support/contacts', ({ request }) => {
      asked.push(new URL(request.url).search);
      return HttpResponse.json({
        status: true,
        message: '',
        data,
        current_page: 1,
        last_page: 1,
        next_page_url: null,
        per_page: 20,
        total: data.length,
      });
    }),
    http.post('*/api/support/contacts/:id', async ({ request, params }) => {
      moved.push([params.id, await request.json()]);
      return HttpResponse.json({ status: true, message: '', data: { ...contact, status: 'done' } });
    }),
  );
  return { asked, moved, ...renderRoutes([{ path: 'support/contacts', element: <ContactsPage /> }], { at }) };
}

test('a request says who wrote what, and leads to its customer', async () => {
  const { container } = setup();
  const request = await screen.findByRole('listitem');
  expect(within(request).getByRole('heading', { name: 'Meera Nair' })).toBeVisible();
  expect(request).toHaveTextContent('My invoice lacks the GSTIN.');
  expect(within(request).getByRole('link', { name: /98765/ })).toHaveAttribute('href', '/support?q=9876543210');
  expect(screen.getByText('1 request')).toHaveAttribute('role', 'status');
  expect(within(request).queryByRole('button', { name: /^Open/ })).toBeNull();
  expect(await accessibilityFaults(container)).toEqual([]);
});

test('what narrows the list begins at its first page, and the search is asked for once the typing rests', async () => {
  const { asked, user, router } = setup({ at: '/support/contacts?page=3' });
  await screen.findByRole('listitem');
  expect(asked.at(-1)).toBe('?page=3');
  await user.selectOptions(screen.getByLabelText('Status'), 'In progress');
  await waitFor(() => expect(asked.at(-1)).toBe('?page=1&status=in_progress'));
  await user.type(screen.getByLabelText('Who'), ' meera ');
  await waitFor(() => expect(asked.at(-1)).toBe('?page=1&status=in_progress&search=meera'));
  expect(router.state.location.search).toBe('?status=in_progress&search=meera');
  expect(asked.filter((one) => one.includes('search=m&'))).toEqual([]);
});

test('an address with a status that nobody knows narrows nothing', async () => {
  const { asked } = setup({ at: '/support/contacts?status=lost&topic=weather&page=-2' });
  await screen.findByRole('listitem');
  expect(asked).toEqual(['?page=1']);
});

test('an empty list tells whether the filters are the cause', async () => {
  setup({ at: '/support/contacts?topic=sales', data: [] });
  expect(await screen.findByText('No request fits these filters.')).toBeVisible();
});

test('a request is done only with a reason, and what was answered is kept', async () => {
  const { moved, asked, user } = setup();
  await user.click(await screen.findByRole('button', { name: 'Done for the request of Meera Nair' }));
  const dialog = await screen.findByRole('dialog', { name: 'The request of Meera Nair' });
  expect(dialog).toHaveTextContent('It goes from “Open” to “Done”.');
  await user.type(within(dialog).getByLabelText('What was answered'), 'Sent anew.');
  await user.click(within(dialog).getByRole('button', { name: 'Set to done' }));
  expect(await within(dialog).findByRole('alert')).toHaveTextContent('Please say why');
  expect(moved).toEqual([]);
  const before = asked.length;
  await user.type(within(dialog).getByLabelText('Reason'), 'Answered by e-mail');
  await user.click(within(dialog).getByRole('button', { name: 'Set to done' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(moved).toEqual([['k1', { status: 'done', note: 'Sent anew.', reason: 'Answered by e-mail' }]]);
  await waitFor(() => expect(asked.length).toBeGreaterThan(before));
});
