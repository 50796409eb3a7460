import { queryOptions } from '@tanstack/react-query';
import { data, envelope } from '@/lib/api/client';
import type { components, paths } from '@/lib/api/schema.gen';
import { uploadBody } from '@/lib/upload';
import { client, supportKey } from './support';

type Schemas = components['schemas'];
type Body<P extends keyof paths> = paths[P] extends {
  post: { requestBody: { content: { 'application/json': infer B } } };
}
  ? B
  : never;

export type BankCredit = Schemas['BankCredit'];
export type BankCreditUse = Schemas['BankCreditUse'];
export type TransferProposal = Schemas['TransferProposal'];
export type BankStatement = Schemas['BankStatement'];
export type StatementColumn = Schemas['StatementColumn'];
export type StatementRow = Schemas['StatementRow'];
export type SupportTransfer = Schemas['SupportTransfer'];
export type DeductedTax = Schemas['DeductedTax'];
export type NewCredit = Body<'/api/support/bank-credits'>['credits'][number];
export type UseOfCredit = Body<'/api/support/bank-credits/{id}/uses'>;
export type TaxChange = Body<'/api/support/tds/{id}'>;

export const creditsQuery = (filter: { page: number; state?: BankCredit['state']; search?: string }) =>
  queryOptions({
    queryKey: [...supportKey, 'transfers', 'credits', filter],
    queryFn: () => envelope(client.GET('/api/support/bank-credits', { params: { query: filter } })),
  });
export const proformasQuery = (filter: { page: number; state?: SupportTransfer['state']; search?: string }) =>
  queryOptions({
    queryKey: [...supportKey, 'transfers', 'proformas', filter],
    queryFn: () => envelope(client.GET('/api/support/transfers', { params: { query: filter } })),
  });
export interface TaxFilter {
  page: number;
  state?: DeductedTax['state'];
  kind?: DeductedTax['kind'];
  late?: boolean;
}
export const taxQuery = (filter: TaxFilter) =>
  queryOptions({
    queryKey: [...supportKey, 'transfers', 'tds', filter],
    queryFn: () => envelope(client.GET('/api/support/tds', { params: { query: filter } })),
  });
/** The URL of the list of deducted tax as CSV. */
export function taxExport({ state, kind, late }: Omit<TaxFilter, 'page'>): string {
  const query = new URLSearchParams({ ...(state && { state }), ...(kind && { kind }), ...(late && { late: 'true' }) });
  return `/api/support/tds/export${query.size > 0 ? `?${query}` : ''}`;
}

/** Which column of a statement is which, and the order of its days, as a person chose them. */
export interface StatementChoice {
  line?: number;
  columns?: Schemas['StatementColumn'][];
  day_order?: 'day_first' | 'month_first';
}

/** Sends a statement as it is: the server decodes it, so that every browser gives the same result. */
export const readStatement = (file: File, choice: StatementChoice = {}) =>
  data(
    client.POST('/api/support/bank-statements', {
      params: { query: choice },
      querySerializer: { array: { style: 'form', explode: false } },
      ...uploadBody(file),
    }),
  );
/** Enters credits. The choice of the statement's columns, if there is one, is remembered with them. */
export const enterCredits = (credits: NewCredit[], reason: string, choice = '') =>
  envelope(
    client.POST('/api/support/bank-credits', {
      body: { credits, reason, ...(choice && { choice }) },
    }),
  );
export const applyCredit = (id: string, body: UseOfCredit, key: string) =>
  envelope(
    client.POST('/api/support/bank-credits/{id}/uses', {
      params: { path: { id }, header: { 'Idempotency-Key': key } },
      body,
    }),
  );
export const decideUse = (id: string, approve: boolean, reason: string) =>
  envelope(
    client.POST('/api/support/bank-credit-uses/{id}/decision', {
      params: { path: { id } },
      body: { approve, reason },
    }),
  );
export const cancelProforma = (id: string, reason: string) =>
  envelope(client.POST('/api/support/transfers/{id}/cancel', { params: { path: { id } }, body: { reason } }));
export const changeTax = (id: string, body: TaxChange) =>
  envelope(client.POST('/api/support/tds/{id}', { params: { path: { id } }, body }));
