import { queryOptions } from '@tanstack/react-query';
import { data } from '@/lib/api/client';
import type { components } from '@/lib/api/schema.gen';
import { client, supportKey } from './support';

type Schemas = components['schemas'];
export type DeferredRevenue = Schemas['DeferredRevenue'];
export type TrialBalance = Schemas['TrialBalance'];
export type ProfitAndLoss = Schemas['ProfitAndLoss'];
export type CustomerAccount = Schemas['CustomerAccount'];

export const deferredQuery = queryOptions({
  queryKey: [...supportKey, 'deferred-revenue'],
  queryFn: () => data(client.GET('/api/support/books/deferred-revenue')),
});

/** The trial balance of the given day; of today if `on` is empty. */
export const trialBalanceQuery = (on: string) =>
  queryOptions({
    queryKey: [...supportKey, 'trial-balance', on],
    queryFn: () => data(client.GET('/api/support/books/trial-balance', { params: { query: on ? { on } : {} } })),
  });

/** Income and expenses per month in a range (YYYY-MM); the last three months if the range is empty. */
export const profitAndLossQuery = (from: string, to: string) =>
  queryOptions({
    queryKey: [...supportKey, 'profit-and-loss', from, to],
    queryFn: () =>
      data(
        client.GET('/api/support/books/profit-and-loss', {
          params: { query: { ...(from ? { from } : {}), ...(to ? { to } : {}) } },
        }),
      ),
  });

export type BookFiles = Schemas['BookFiles'];

/** What the files of a month, as YYYY-MM, have for accounting software. */
export const bookFilesQuery = (month: string) =>
  queryOptions({
    queryKey: [...supportKey, 'book-files', month],
    queryFn: () => data(client.GET('/api/support/books/files/{month}', { params: { path: { month } } })),
  });

/** The URL of a file of a month. */
export const bookFile = (month: string, file: Schemas['BookFile']) => `/api/support/books/files/${month}/${file}`;

export interface Period {
  from?: string;
  to?: string;
}

export const customerAccountQuery = (id: string, period: Period) =>
  queryOptions({
    queryKey: [...supportKey, 'customer-account', id, period],
    queryFn: () => data(client.GET('/api/support/customers/{id}/account', { params: { path: { id }, query: period } })),
  });

/** The URL of a customer's statement as a file. */
export const customerAccountFile = (id: string, { from, to }: { from: string; to: string }, format: 'csv' | 'pdf') =>
  `/api/support/customers/${id}/account/file?from=${from}&to=${to}&format=${format}`;
