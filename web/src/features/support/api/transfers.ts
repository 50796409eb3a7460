import { data } from '@/lib/api/client';
import type { components, operations, paths } from '@/lib/api/schema.gen';
import { uploadBody } from '@/lib/upload';
import { post, readPage } from './call';
import { client } from './support';

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

interface Filter<State> {
  page: number;
  state?: State;
  search?: string;
}

export const creditsQuery = (filter: Filter<BankCredit['state']>) =>
  readPage('/api/support/bank-credits', filter, {
    // A worker books requested uses shortly after; poll until then.
    refetchInterval: ({ state: { data: list } }) =>
      list?.data.some(({ uses }) => uses.some((use) => use.state === 'requested')) ? 2000 : false,
  });
export const proformasQuery = (filter: Filter<SupportTransfer['state']>) => readPage('/api/support/transfers', filter);
export const taxQuery = (filter: NonNullable<operations['listDeductedTax']['parameters']['query']>) =>
  readPage('/api/support/tds', filter);

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
  post('/api/support/bank-credits', { credits, reason, ...(choice && { choice }) });
export const applyCredit = (id: string, body: UseOfCredit, key: string) =>
  post('/api/support/bank-credits/{id}/uses', body, { id }, key);
export const decideUse = (id: string, approve: boolean, reason: string) =>
  post('/api/support/bank-credit-uses/{id}/decision', { approve, reason }, { id });
export const cancelProforma = (id: string, reason: string) =>
  post('/api/support/transfers/{id}/cancel', { reason }, { id });
export const changeTax = (id: string, body: TaxChange) => post('/api/support/tds/{id}', body, { id });
