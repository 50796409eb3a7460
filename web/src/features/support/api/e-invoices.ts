import type { components } from '@/lib/api/schema.gen';
import { post, read, readPage } from './call';

type Schemas = components['schemas'];
export type EInvoice = Schemas['EInvoice'];
export type EInvoiceState = Schemas['EInvoiceState'];

export const eInvoicesQuery = (filter: { page: number; state?: EInvoiceState }) =>
  readPage('/api/support/e-invoices', filter);
export const eInvoiceCountsQuery = read('/api/support/e-invoices/counts');
export const registerEInvoice = (id: string, reason: string) =>
  post('/api/support/e-invoices/{id}/register', { reason }, { id });
