import { QueryClient, QueryClientProvider, queryOptions, useQuery } from '@tanstack/react-query';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createMemoryRouter, Link, RouterProvider } from 'react-router';
import { expect, test, vi } from 'vitest';
import { ListPage } from './list-page';
import { anyText, oneOf, useListState } from './use-list-state';

interface Shop {
  id: string;
  state: 'open' | 'closed';
  paise: number;
}

const states = { open: 'Open', closed: 'Closed' };
const sizes = { small: 'Small', large: 'Large' };
const shops: Shop[] = [
  { id: 'one', state: 'open', paise: 100 },
  { id: 'two', state: 'closed', paise: 200 },
];

const shopsQuery = queryOptions({
  queryKey: ['shops'],
  queryFn: () => Promise.resolve({ data: shops, current_page: 1, last_page: 62, total: 1240 }),
});

function Shops() {
  const { filter, page } = useListState({ state: oneOf(states), size: oneOf(sizes), search: anyText });
  const query = useQuery(shopsQuery);
  return (
    <>
      <Link to="?search=bakery">Saved view</Link>
      <output>{JSON.stringify({ ...filter, page })}</output>
      <ListPage
        title="Shops"
        query={query}
        what="the shops"
        rowKey={(shop) => shop.id}
        search={{ label: 'Find' }}
        empty="There are none."
        columns={[
          { label: 'Name', cell: ({ id }) => <a href={`/${id}`}>{id}</a> },
          { label: 'State', cell: ({ state }) => states[state], filter: { name: 'state', options: states } },
          { label: 'Size', cell: () => 'Small', filter: { name: 'size', options: sizes } },
          { label: 'Amount', cell: ({ paise }) => paise, numeric: true },
        ]}
      />
    </>
  );
}

function show(address: string) {
  const router = createMemoryRouter([{ path: '/', element: <Shops /> }], { initialEntries: [address] });
  render(
    <QueryClientProvider client={new QueryClient()}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  return router;
}

test('a filter keeps the other filters and returns to the first page', async () => {
  const router = show('/?state=open&page=3&tab=all');
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Size' }), 'Large');
  expect(router.state.location.search).toBe('?state=open&tab=all&size=large');
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'State' }), 'All');
  expect(router.state.location.search).toBe('?tab=all&size=large');
});

test('ignores a filter and a page that the URL names wrongly', () => {
  show('/?state=burnt&page=-1');
  expect(screen.getByText('{"page":1}')).toBeInTheDocument();
});

test('a saved view with a search fills the search box and keeps the search', async () => {
  const router = show('/');
  await userEvent.click(screen.getByRole('link', { name: 'Saved view' }));
  await new Promise((resolve) => setTimeout(resolve, 400));
  expect(screen.getByRole('searchbox', { name: 'Find' })).toHaveValue('bakery');
  expect(router.state.location.search).toBe('?search=bakery');
});

test('writes the search to the URL once typing pauses', async () => {
  const router = show('/?state=open&page=2');
  await userEvent.type(screen.getByRole('searchbox', { name: 'Find' }), 'asha');
  await expect.poll(() => router.state.location.search).toBe('?state=open&search=asha');
});

test('labels each cell with the heading of its column and tells the count', async () => {
  show('/');
  const table = await screen.findByRole('table', { name: 'Shops' });
  expect(screen.getByText('2 of 1,240')).toBeInTheDocument();
  expect(within(table).getByRole('rowheader', { name: 'one' })).toBeInTheDocument();
  expect(within(table).getByRole('cell', { name: '100' })).toHaveAttribute('data-label', 'Amount');
});

test('moves between rows with j and k', async () => {
  show('/');
  (await screen.findByRole('region', { name: 'Shops' })).focus();
  await userEvent.keyboard('j');
  expect(screen.getByRole('link', { name: 'one' })).toHaveFocus();
  await userEvent.keyboard('jj');
  expect(screen.getByRole('link', { name: 'two' })).toHaveFocus();
  await userEvent.keyboard('k');
  expect(screen.getByRole('link', { name: 'one' })).toHaveFocus();
});

test('j and k reach the list of the page from everywhere except fields and dialogs', async () => {
  show('/');
  await screen.findByRole('region', { name: 'Shops' });
  const search = screen.getByRole('searchbox', { name: 'Find' });
  await userEvent.click(search);
  await userEvent.keyboard('j');
  expect(search).toHaveFocus();
  search.blur();
  await userEvent.keyboard('j');
  expect(screen.getByRole('link', { name: 'one' })).toHaveFocus();
  await userEvent.keyboard('j');
  expect(screen.getByRole('link', { name: 'two' })).toHaveFocus();
  screen.getByRole('link', { name: 'Saved view' }).focus();
  await userEvent.keyboard('{Control>}j{/Control}');
  expect(screen.getByRole('link', { name: 'Saved view' })).toHaveFocus();
  await userEvent.keyboard('k');
  expect(screen.getByRole('link', { name: 'one' })).toHaveFocus();
  const dialog = document.body.appendChild(document.createElement('div'));
  dialog.setAttribute('role', 'dialog');
  screen.getByRole('link', { name: 'Saved view' }).focus();
  await userEvent.keyboard('j');
  expect(screen.getByRole('link', { name: 'Saved view' })).toHaveFocus();
  dialog.remove();
});

test('a page behind the last one leads to the first, and does not call the list empty', async () => {
  const page = { data: [], current_page: 7, last_page: 2, total: 40 };
  const query = { data: page, error: null, refetch: vi.fn() } as never;
  const list = (
    <ListPage title="Shops" query={query} what="the shops" rowKey={() => ''} empty="None yet." columns={[]} />
  );
  render(
    <RouterProvider
      router={createMemoryRouter([{ path: '/', element: list }], { initialEntries: ['/?size=small&page=7'] })}
    />,
  );
  expect(screen.getByText('The list ends before this page')).toBeVisible();
  expect(screen.getByRole('link', { name: 'First page' })).toHaveAttribute('href', '/?size=small');
  expect(screen.queryByText('None yet.')).not.toBeInTheDocument();
  expect(screen.queryByRole('navigation')).not.toBeInTheDocument();
});
