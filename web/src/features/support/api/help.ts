import { keepPreviousData } from '@tanstack/react-query';
import type { components, operations } from '@/lib/api/schema.gen';
import { post, postFor, read, readPage } from './call';
import { WORKING_MS } from './support';

type Schemas = components['schemas'];
export type Reversal = Schemas['Reversal'];
export type ReversalRequest = Schemas['ReversalRequest'];
export type AuditRecord = Schemas['AuditRecord'];
export type AuditAction = Schemas['AuditAction'];
export type AuditActionFilter = Schemas['AuditActionFilter'];
export type AuditTrail = Schemas['AuditPage'];

/** Each action needs a reason. */
export const unlock = (id: string, reason: string, key: string) =>
  postFor('/api/support/customers/{id}/unlock', { reason }, { id }, key);
export const unlockMobile = (mobile: string, reason: string, key: string) =>
  postFor('/api/support/mobiles/{mobile}/unlock', { reason }, { mobile }, key);
export const endSessions = (id: string, reason: string, key: string) =>
  postFor('/api/support/customers/{id}/sessions/end', { reason }, { id }, key);
export const recheckDomain = (id: string, reason: string, key: string) =>
  postFor('/api/support/customers/{id}/domain/recheck', { reason }, { id }, key);
export const askGateway = (id: string, payment: string, reason: string, key: string) =>
  postFor('/api/support/customers/{id}/payments/{payment}/ask', { reason }, { id, payment }, key);
export const resendInvoice = (id: string, invoice: string, reason: string, key: string) =>
  postFor('/api/support/customers/{id}/invoices/{invoice}/resend', { reason }, { id, invoice }, key);
export const extendGrace = (id: string, days: number, reason: string, key: string) =>
  postFor('/api/support/customers/{id}/grace', { days, reason }, { id }, key);

export const askView = (id: string, reason: string) => postFor('/api/support/customers/{id}/views', { reason }, { id });
export const beginView = (id: string, code: string) => postFor('/api/support/views/{id}/begin', { code }, { id });
export const endView = (id: string) => post('/api/support/views/{id}/end', undefined, { id });

export const requestReversal = (body: ReversalRequest, key: string) =>
  post('/api/support/reversals', body, undefined, key);
export const decideReversal = (id: string, what: 'approve' | 'decline' | 'withdraw', reason: string) =>
  post(`/api/support/reversals/{id}/${what}`, { reason }, { id });

export const closeDispute = (id: string, body: Schemas['DisputeClosing']) =>
  post('/api/support/disputes/{id}/close', body, { id });

export type InputTaxState = Schemas['InputTaxState'];
export const recordInputTax = (id: string, body: Schemas['InputTaxRecording']) =>
  post('/api/support/credit-notes/{id}/input-tax', body, { id });
/** A credit note of the list. */
export type CreditNote = Awaited<
  ReturnType<NonNullable<ReturnType<typeof creditNotesQuery>['queryFn']>>
>['data'][number];
export const creditNotesQuery = (filter: { page: number; state?: InputTaxState }) =>
  readPage('/api/support/credit-notes', filter);

export type GstReturn = Schemas['GstReturn'];
export type GstReturnTable = Schemas['GstReturnTable'];
export type GstReturnFileTable = Schemas['GstReturnFileTable'];
/** A table of the return, or a row of table 12, that lists its documents. */
export interface GstFigure {
  table: Schemas['GstReturnFigure'];
  sac?: string;
  rate_bps?: number;
}
export const gstReturnsQuery = read('/api/support/gst-returns');
/** A month's return, the month as YYYY-MM. */
export const gstReturnQuery = (month: string) => read('/api/support/gst-returns/{month}', { path: { month } });
export const gstDocumentsQuery = (month: string, filter: GstFigure & { page: number }) =>
  readPage('/api/support/gst-returns/{month}/documents', filter, { path: { month } });
/** The URL of a month's file for the portal, or of one table as CSV. */
export const gstReturnFile = (month: string, table?: GstReturnFileTable) =>
  `/api/support/gst-returns/${month}/file${table ? `?table=${table}` : ''}`;

export type BookLock = Schemas['BookLock'];
export const bookLockQuery = read('/api/support/books/lock');
/** Locks the books up to the day. */
export const lockBooks = (through: string, reason: string) => post('/api/support/books/lock', { through, reason });

/** A payment's money and purchases. Polled while a worker processes a staff request. */
export const trailQuery = (payment: string) =>
  read(
    '/api/support/payments/{payment}/trail',
    { path: { payment } },
    {
      gcTime: 0,
      refetchInterval: (query) =>
        query.state.data?.requests.some(({ state }) => state === 'approved') ? WORKING_MS : false,
    },
  );
export type Trail = Schemas['PaymentTrail'];
export type Holding = NonNullable<Schemas['PaymentTrail']['holding']>;

export type WaitingMoney = Schemas['WaitingMoney'];
/** Money of all customers that waits for staff: the counts, and a list of one kind or of all. */
export const waitingMoneyQuery = (kind?: WaitingMoney['kind']) =>
  read('/api/support/money', { query: { kind } }, { refetchInterval: 10_000, placeholderData: keepPreviousData });

export const reversalsQuery = (filter: { page: number; state?: Schemas['ReversalState']; customer_id?: string }) =>
  readPage('/api/support/reversals', filter, { refetchInterval: 10_000 });

export type SettlementDay = Schemas['SettlementDay'];
export type SettlementReport = Schemas['SettlementReport'];
export type SettlementLine = Schemas['SettlementLine'];
export type SettlementDifference = Schemas['SettlementDifference'];
/** The settlements between two dates in India, such as "2026-11-22". */
export const settlementsQuery = (query: { from?: string; to?: string }) => read('/api/support/settlements', { query });
export const settlementQuery = (gateway: string, day: string) =>
  read('/api/support/settlements/{gateway}/{day}', { path: { gateway, day } });

/** Acknowledges a difference that nothing will ever clear. */
export const acknowledgeDifference = (id: string, reason: string) =>
  post('/api/support/settlement-differences/{id}/acknowledge', { reason }, { id });
/** Queues a re-read of the day (all due days if empty) and a comparison of every open settlement. */
export const compareSettlements = (gateway: string, day: string | undefined, reason: string) =>
  day
    ? postFor('/api/support/settlements/{gateway}/{day}/compare', { reason }, { gateway, day })
    : postFor('/api/support/settlements/{gateway}/compare', { reason }, { gateway });

export type AuditFilter = Omit<NonNullable<operations['listAudit']['parameters']['query']>, 'before'>;
export const auditQuery = (filter: AuditFilter, before: number | undefined) =>
  read('/api/support/audit', { query: { ...filter, before } });

export const lostDocumentsQuery = read('/api/support/documents/lost', {}, { refetchInterval: 10_000 });
export const restoreDocuments = (reason: string, key: string) =>
  postFor('/api/support/documents/restore', { reason }, undefined, key);
