import { queryOptions, useQuery } from '@tanstack/react-query';
import { Button } from '@/ui/button';
import { CursorPages } from '@/ui/list/cursor-pages';
import { ListDate } from '@/ui/list/list-date';
import { ListPage } from '@/ui/list/list-page';
import { MoreRows } from '@/ui/list/more-rows';
import { PastEnd } from '@/ui/list/past-end';
import { Table } from '@/ui/list/table';
import { anyText, oneOf, useListState } from '@/ui/list/use-list-state';

const states = { open: 'Open', closed: 'Closed' };
const shops = [
  { id: 'Pune', state: 'open', paise: 100 },
  { id: 'Nagpur', state: 'closed', paise: 200 },
] as const;

const shopsQuery = queryOptions({
  queryKey: ['gallery', 'shops'],
  queryFn: () => Promise.resolve({ data: [...shops], current_page: 1, last_page: 62, total: 1240 }),
});

/** A list with search, filter, count and pages, and a plain table. */
export function GalleryList() {
  useListState({ state: oneOf(states), search: anyText });
  const query = useQuery(shopsQuery);
  return (
    <>
      <ListPage
        title="Shops"
        query={query}
        what="the shops"
        rowKey={({ id }) => id}
        search={{ label: 'Find a shop' }}
        acts={<Button variant="outline">Export</Button>}
        empty="Why the list is empty."
        columns={[
          { label: 'Name', cell: ({ id }) => id },
          { label: 'State', cell: ({ state }) => states[state], filter: { name: 'state', options: states } },
          { label: 'Amount', cell: ({ paise }) => paise, numeric: true },
        ]}
      />
      <Table
        className="table"
        caption="A plain table"
        rows={shops}
        rowKey={({ id }) => id}
        columns={[
          { label: 'Name', cell: ({ id }) => id },
          { label: 'State', cell: ({ state }) => states[state] },
        ]}
      />
      <ListDate label="Day" name="day" />
      <CursorPages label="Pages of entries" next="2" />
      <MoreRows of={{ hasNextPage: true, isFetchingNextPage: false, fetchNextPage: () => query.refetch() as never }}>
        Show more
      </MoreRows>
      <PastEnd />
    </>
  );
}
