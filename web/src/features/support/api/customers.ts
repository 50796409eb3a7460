import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { data, envelope } from '@/lib/api/client';
import type { components, operations } from '@/lib/api/schema.gen';
import { client, REFRESH_MS, WORKING_MS, supportKey } from './support';

type Schemas = components['schemas'];
export type Customer = Schemas['SupportCustomer'];
export type TimelineEntry = Schemas['TimelineEntry'];
export type Done = Schemas['SupportDone'];

export const customerQuery = (id: string) =>
  queryOptions({
    queryKey: [...supportKey, 'customer', id],
    queryFn: () => data(client.GET('/api/support/customers/{id}', { params: { path: { id } } })),
    refetchInterval: (query) =>
      query.state.data?.open_requests.some(({ state }) => state === 'approved') ? WORKING_MS : REFRESH_MS,
  });

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
export const newestQuery = (id: string, kind: string) =>
  queryOptions({
    queryKey: [...supportKey, 'newest', id, kind],
    queryFn: () => pageOf(id, kind, ''),
    refetchInterval: REFRESH_MS,
  });

/** The newest payments and documents; fetched again when something of the customer changes. */
export const recordsQuery = (id: string) =>
  queryOptions({
    queryKey: [...supportKey, 'newest', id, 'records'],
    queryFn: () => pageOf(id, 'payment,document', ''),
    refetchInterval: REFRESH_MS * 6,
  });

/** One entry, however old. */
export const entryQuery = (id: string, entry: string) =>
  queryOptions({
    queryKey: [...supportKey, 'entry', id, entry],
    queryFn: () =>
      data(client.GET('/api/support/customers/{id}/timeline/{entry}', { params: { path: { id, entry } } })),
    enabled: entry !== '',
    retry: false,
  });

export const mobileQuery = (mobile: string) =>
  queryOptions({
    queryKey: [...supportKey, 'mobile', mobile],
    queryFn: () =>
      data(client.GET('/api/support/mobiles/{mobile}', { params: { path: { mobile }, query: { limit: 100 } } })),
    refetchInterval: REFRESH_MS,
    retry: false,
  });

export type ListedCustomer = Schemas['ListedCustomer'];
export type CustomersFilter = NonNullable<operations['listCustomers']['parameters']['query']>;
/** Customers of the list, a page at a time. */
export const customersQuery = (filter: CustomersFilter) =>
  queryOptions({
    queryKey: [...supportKey, 'customers', filter],
    queryFn: () => envelope(client.GET('/api/support/customers', { params: { query: filter } })),
  });
