import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { data } from '@/lib/api/client';
import type { components, operations } from '@/lib/api/schema.gen';
import { read, readPage } from './call';
import { client, REFRESH_MS, supportKey, WORKING_MS } from './support';

type Schemas = components['schemas'];
export type Customer = Schemas['SupportCustomer'];
export type TimelineEntry = Schemas['TimelineEntry'];

export const customerQuery = (id: string) =>
  read(
    '/api/support/customers/{id}',
    { path: { id } },
    {
      refetchInterval: (query) =>
        query.state.data?.open_requests.some(({ state }) => state === 'approved') ? WORKING_MS : REFRESH_MS,
    },
  );

const pageOf = (id: string, kind: string, before: string) =>
  data(
    client.GET('/api/support/customers/{id}/timeline', {
      params: { path: { id }, query: { ...(kind && { kind }), ...(before && { before }) } },
    }),
  );

/** The timeline, page by page. */
export const timelineQuery = (id: string, kind: string) =>
  infiniteQueryOptions({
    queryKey: [...supportKey, 'timeline', id, kind],
    queryFn: ({ pageParam }) => pageOf(id, kind, pageParam),
    initialPageParam: '',
    getNextPageParam: (page) => page.next ?? undefined,
    staleTime: Infinity,
  });

/** The timeline's newest page, polled. */
export const newestQuery = (id: string, kind: string, every = REFRESH_MS) =>
  queryOptions({
    queryKey: [...supportKey, 'newest', id, kind],
    queryFn: () => pageOf(id, kind, ''),
    refetchInterval: every,
  });

/** The newest payments and documents; fetched again when something of the customer changes. */
export const recordsQuery = (id: string) => newestQuery(id, 'payment,document', REFRESH_MS * 6);

/** One entry, however old. */
export const entryQuery = (id: string, entry: string) =>
  read('/api/support/customers/{id}/timeline/{entry}', { path: { id, entry } }, { retry: false });

export const mobileQuery = (mobile: string) =>
  read(
    '/api/support/mobiles/{mobile}',
    { path: { mobile }, query: { limit: 100 } },
    { refetchInterval: REFRESH_MS, retry: false },
  );

export type ListedCustomer = Schemas['ListedCustomer'];
export type CustomersFilter = NonNullable<operations['listCustomers']['parameters']['query']>;
/** Customers of the list, a page at a time. */
export const customersQuery = (filter: CustomersFilter) => readPage('/api/support/customers', filter);
