import type { components } from '@/lib/api/schema.gen';
import { read } from './call';

type Schemas = components['schemas'];
export type DeferredRevenue = Schemas['DeferredRevenue'];
export type TrialBalance = Schemas['TrialBalance'];
export type ProfitAndLoss = Schemas['ProfitAndLoss'];
export type CustomerAccount = Schemas['CustomerAccount'];
export type BookFiles = Schemas['BookFiles'];

export const deferredQuery = read('/api/support/books/deferred-revenue');

/** The trial balance of the given day; of today if `on` is empty. */
export const trialBalanceQuery = (on: string) =>
  read('/api/support/books/trial-balance', { query: { ...(on && { on }) } });

/** Income and expenses per month in a range (YYYY-MM); the last three months if the range is empty. */
export const profitAndLossQuery = (from: string, to: string) =>
  read('/api/support/books/profit-and-loss', { query: { ...(from && { from }), ...(to && { to }) } });

/** What the files of a month, as YYYY-MM, have for accounting software. */
export const bookFilesQuery = (month: string) => read('/api/support/books/files/{month}', { path: { month } });

/** The URL of a file of a month. */
export const bookFile = (month: string, file: Schemas['BookFile']) => `/api/support/books/files/${month}/${file}`;

export interface Period {
  from?: string;
  to?: string;
}

export const customerAccountQuery = (id: string, query: Period) =>
  read('/api/support/customers/{id}/account', { path: { id }, query });

/** The URL of a customer's statement as a file. */
export const customerAccountFile = (id: string, { from, to }: { from: string; to: string }, format: 'csv' | 'pdf') =>
  `/api/support/customers/${id}/account/file?from=${from}&to=${to}&format=${format}`;
