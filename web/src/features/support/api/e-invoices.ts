import { queryOptions } from '@tanstack/react-query';
import { data, envelope } from '@/lib/api/client';
import type { components } from '@/lib/api/schema.gen';
import { client, supportKey } from './support';

type Schemas = components['schemas'];

export type EInvoice = Schemas['EInvoice'];
export type EInvoiceState = Schemas['EInvoiceState'];
/** The common query key prefix of all e-invoice queries. */
const eInvoicesKey = [...supportKey, 'e-invoices'] as const;
export const eInvoicesQuery = (filter: { page: number; state?: EInvoiceState }) =>
  queryOptions({
    queryKey: [...eInvoicesKey, filter],
    queryFn: () => envelope(client.GET('/api/support/e-invoices', { params: { query: filter } })),
  });
export const eInvoiceCountsQuery = queryOptions({
  queryKey: [...eInvoicesKey, 'counts'],
  queryFn: () => data(client.GET('/api/support/e-invoices/counts')),
});
export const registerEInvoice = (id: string, reason: string) =>
  envelope(client.POST('/api/support/e-invoices/{id}/register', { params: { path: { id } }, body: { reason } }));
