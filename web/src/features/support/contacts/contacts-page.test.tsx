import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { mock, ok, page, server } from '@/testing/server';
import { contact, id } from './contacts.fixture';
import { ContactsPage } from './contacts-page';

function setup({ at = '/support/contacts', data = [contact] as object[] } = {}) {
  const asked: string[] = [];
  server.use(
    mock.get('/api/support/saved-views', () => ok({ views: [] })),
    mock.get('/api/support/me', () => ok({ id: 's1', name: 'Sunita', email: 'sunita@example.in', role: 'support' })),
    mock.get('/api/support/contacts/counts', () =>
      ok({ open: 3, waiting: 1, answered: 0, closed: 40, overdue: 2, unowned: 1 }),
    ),
    mock.get('/api/support/presence', () => ok({ known: true, pages: [{ page: `contact:${id}`, names: ['Priya'] }] })),
    mock.get('/api/support/contacts', ({ request }) => {
      asked.push(new URL(request.url).search);
      return page(data);
    }),
  );
  return { asked, ...renderRoutes([{ path: 'support/contacts', element: <ContactsPage /> }], { at }) };
}

test('a request says who wrote what, who sees to it, who has it open, and that its time is up', async () => {
  const { container } = setup();
  const request = await screen.findByRole('row', { name: /Meera Nair/ });
  expect(within(request).getByRole('link', { name: 'Meera Nair' })).toHaveAttribute('href', `/support/contacts/${id}`);
  expect(request).toHaveTextContent('My invoice lacks the GSTIN.');
  expect(request).toHaveTextContent('Nobody');
  expect(request).toHaveTextContent('First answer due: overdue');
  expect(await within(request).findByText('Open at: Priya')).toBeVisible();
  expect(await screen.findByRole('option', { name: 'Open (3)' })).toBeInTheDocument();
  expect(await accessibilityFaults(container)).toEqual([]);
});

test('what narrows the list begins at its first page, and the search is asked for once the typing rests', async () => {
  const { asked, user, router } = setup({ at: '/support/contacts?page=3' });
  await screen.findByRole('row', { name: /Meera Nair/ });
  expect(asked.at(-1)).toBe('?page=3');
  await user.selectOptions(screen.getByLabelText('State'), 'waiting');
  await waitFor(() => expect(asked.at(-1)).toBe('?page=1&state=waiting'));
  await user.selectOptions(screen.getByLabelText('Assigned to'), 'Me');
  await user.selectOptions(screen.getByLabelText('Due'), 'true');
  await user.type(screen.getByLabelText('Who'), ' meera ');
  await waitFor(() => expect(asked.at(-1)).toBe('?page=1&state=waiting&owner=me&overdue=true&search=meera'));
  expect(router.state.location.search).toBe('?state=waiting&owner=me&overdue=true&search=meera');
  expect(asked.filter((one) => one.includes('search=m&'))).toEqual([]);
});

test('an address with a state that nobody knows narrows nothing', async () => {
  const { asked } = setup({ at: '/support/contacts?state=lost&topic=weather&owner=all&page=-2' });
  await screen.findByRole('row', { name: /Meera Nair/ });
  expect(asked).toEqual(['?page=1']);
});

test('an empty list tells whether the filters are the cause', async () => {
  setup({ at: '/support/contacts?topic=sales', data: [] });
  expect(await screen.findByText('No request fits these filters.')).toBeVisible();
});

test('a request of a known customer links to the customer', async () => {
  setup({ data: [{ ...contact, customer_id: 'c1', customer: 'Royal Sweets' }] });
  expect(await screen.findByRole('link', { name: 'Royal Sweets' })).toHaveAttribute('href', '/support/customers/c1');
});
