import { queryOptions } from '@tanstack/react-query';
import { data, envelope } from '@/lib/api/client';
import type { components } from '@/lib/api/schema.gen';
import { client, WORKING_MS, supportKey } from './support';

type Schemas = components['schemas'];
export type Reversal = Schemas['Reversal'];
export type ReversalRequest = Schemas['ReversalRequest'];
export type AuditRecord = Schemas['AuditRecord'];
export type AuditAction = Schemas['AuditAction'];
export type AuditActionFilter = Schemas['AuditActionFilter'];
export type AuditTrail = Schemas['AuditPage'];

const keyed = (key: string) => ({ 'Idempotency-Key': key });

/** Each action needs a reason; requests with the same key count as one action, however often they are sent. */
export const unlock = (id: string, reason: string, key: string) =>
  data(
    client.POST('/api/support/customers/{id}/unlock', {
      params: { path: { id }, header: keyed(key) },
      body: { reason },
    }),
  );
export const unlockMobile = (mobile: string, reason: string, key: string) =>
  data(
    client.POST('/api/support/mobiles/{mobile}/unlock', {
      params: { path: { mobile }, header: keyed(key) },
      body: { reason },
    }),
  );
export const endSessions = (id: string, reason: string, key: string) =>
  data(
    client.POST('/api/support/customers/{id}/sessions/end', {
      params: { path: { id }, header: keyed(key) },
      body: { reason },
    }),
  );
export const recheckDomain = (id: string, reason: string, key: string) =>
  data(
    client.POST('/api/support/customers/{id}/domain/recheck', {
      params: { path: { id }, header: keyed(key) },
      body: { reason },
    }),
  );
export const askGateway = (id: string, payment: string, reason: string, key: string) =>
  data(
    client.POST('/api/support/customers/{id}/payments/{payment}/ask', {
      params: { path: { id, payment }, header: keyed(key) },
      body: { reason },
    }),
  );
export const resendInvoice = (id: string, invoice: string, reason: string, key: string) =>
  data(
    client.POST('/api/support/customers/{id}/invoices/{invoice}/resend', {
      params: { path: { id, invoice }, header: keyed(key) },
      body: { reason },
    }),
  );
export const extendGrace = (id: string, days: number, reason: string, key: string) =>
  data(
    client.POST('/api/support/customers/{id}/grace', {
      params: { path: { id }, header: keyed(key) },
      body: { days, reason },
    }),
  );

export const askView = (id: string, reason: string) =>
  data(client.POST('/api/support/customers/{id}/views', { params: { path: { id } }, body: { reason } }));
export const beginView = (id: string, code: string) =>
  data(client.POST('/api/support/views/{id}/begin', { params: { path: { id } }, body: { code } }));
export const endView = (id: string) =>
  envelope(client.POST('/api/support/views/{id}/end', { params: { path: { id } } }));

export const requestReversal = (body: ReversalRequest, key: string) =>
  envelope(client.POST('/api/support/reversals', { params: { header: keyed(key) }, body }));
export const decideReversal = (id: string, what: 'approve' | 'decline' | 'withdraw', reason: string) =>
  envelope(client.POST(`/api/support/reversals/{id}/${what}`, { params: { path: { id } }, body: { reason } }));

export const closeDispute = (id: string, body: Schemas['DisputeClosing']) =>
  envelope(client.POST('/api/support/disputes/{id}/close', { params: { path: { id } }, body }));

export type InputTaxState = Schemas['InputTaxState'];
export const recordInputTax = (id: string, body: Schemas['InputTaxRecording']) =>
  envelope(client.POST('/api/support/credit-notes/{id}/input-tax', { params: { path: { id } }, body }));
/** A credit note of the list. */
export type CreditNote = Awaited<ReturnType<typeof creditNotes>>['data'][number];
const creditNotes = (filter: { page: number; state?: InputTaxState }) =>
  envelope(client.GET('/api/support/credit-notes', { params: { query: filter } }));
export const creditNotesQuery = (filter: { page: number; state?: InputTaxState }) =>
  queryOptions({
    queryKey: [...supportKey, 'credit-notes', filter],
    queryFn: () => creditNotes(filter),
  });
/** The URL of the credit-notes file, for one state or all. */
export const creditNotesExport = (state?: InputTaxState) =>
  `/api/support/credit-notes/export${state ? `?state=${state}` : ''}`;

export type GstReturn = Schemas['GstReturn'];
export type GstReturnTable = Schemas['GstReturnTable'];
export type GstReturnFileTable = Schemas['GstReturnFileTable'];
/** A table of the return, or a row of table 12, that lists its documents. */
export interface GstFigure {
  table: Schemas['GstReturnFigure'];
  sac?: string;
  rate_bps?: number;
}
export const gstReturnsQuery = queryOptions({
  queryKey: [...supportKey, 'gst-returns'],
  queryFn: () => data(client.GET('/api/support/gst-returns')),
});
/** A month's return, the month as YYYY-MM. */
export const gstReturnQuery = (month: string) =>
  queryOptions({
    queryKey: [...supportKey, 'gst-returns', month],
    queryFn: () => data(client.GET('/api/support/gst-returns/{month}', { params: { path: { month } } })),
  });
export const gstDocumentsQuery = (month: string, filter: GstFigure & { page: number }) =>
  queryOptions({
    queryKey: [...supportKey, 'gst-returns', month, filter],
    queryFn: () =>
      envelope(
        client.GET('/api/support/gst-returns/{month}/documents', { params: { path: { month }, query: filter } }),
      ),
  });
/** The URL of a month's file for the portal, or of one table as CSV. */
export const gstReturnFile = (month: string, table?: GstReturnFileTable) =>
  `/api/support/gst-returns/${month}/file${table ? `?table=${table}` : ''}`;

export type BookLock = Schemas['BookLock'];
export const bookLockQuery = queryOptions({
  queryKey: [...supportKey, 'books'],
  queryFn: () => data(client.GET('/api/support/books/lock')),
});
/** Locks the books up to the day. */
export const lockBooks = (through: string, reason: string) =>
  envelope(client.POST('/api/support/books/lock', { body: { through, reason } }));

/** A payment's money and purchases. Polled while a worker processes a staff request. */
export const trailQuery = (payment: string) =>
  queryOptions({
    queryKey: [...supportKey, 'trail', payment],
    queryFn: () => data(client.GET('/api/support/payments/{payment}/trail', { params: { path: { payment } } })),
    gcTime: 0,
    refetchInterval: (query) =>
      query.state.data?.requests.some(({ state }) => state === 'approved') ? WORKING_MS : false,
  });
export type Trail = Schemas['PaymentTrail'];
export type Holding = NonNullable<Schemas['PaymentTrail']['holding']>;

export type WaitingMoney = Schemas['WaitingMoney'];
const moneyKey = [...supportKey, 'money'];
/** Money of all customers that waits for staff: the counts, and a list of one kind or of all. */
export const waitingMoneyQuery = (kind?: WaitingMoney['kind']) =>
  queryOptions({
    queryKey: [...moneyKey, kind ?? ''],
    queryFn: () => data(client.GET('/api/support/money', { params: { query: { ...(kind && { kind }) } } })),
    refetchInterval: 10_000,
  });

export interface ReversalsFilter {
  page: number;
  state?: Schemas['ReversalState'];
  customer_id?: string;
}
export const reversalsQuery = (filter: ReversalsFilter) =>
  queryOptions({
    queryKey: [...supportKey, 'reversals', filter],
    queryFn: () => envelope(client.GET('/api/support/reversals', { params: { query: filter } })),
    refetchInterval: 10_000,
  });

export type SettlementDay = Schemas['SettlementDay'];
export type SettlementReport = Schemas['SettlementReport'];
export type SettlementLine = Schemas['SettlementLine'];
export type SettlementDifference = Schemas['SettlementDifference'];
const settlementsKey = [...supportKey, 'settlements'];
export interface SettlementsFilter {
  /** Dates in India, such as "2026-11-22". */
  from?: string;
  to?: string;
}
export const settlementsQuery = (filter: SettlementsFilter) =>
  queryOptions({
    queryKey: [...settlementsKey, filter],
    queryFn: () => data(client.GET('/api/support/settlements', { params: { query: filter } })),
  });
export const settlementQuery = (gateway: string, day: string) =>
  queryOptions({
    queryKey: [...settlementsKey, gateway, day],
    queryFn: () => data(client.GET('/api/support/settlements/{gateway}/{day}', { params: { path: { gateway, day } } })),
  });

/** Acknowledges a difference that nothing will ever clear. */
export const acknowledgeDifference = (id: string, reason: string) =>
  envelope(
    client.POST('/api/support/settlement-differences/{id}/acknowledge', {
      params: { path: { id } },
      body: { reason },
    }),
  );
/** Queues a re-read of the day (all due days if empty) and a comparison of every open settlement. */
export const compareSettlements = (gateway: string, day: string | undefined, reason: string) =>
  data(
    day
      ? client.POST('/api/support/settlements/{gateway}/{day}/compare', {
          params: { path: { gateway, day } },
          body: { reason },
        })
      : client.POST('/api/support/settlements/{gateway}/compare', {
          params: { path: { gateway } },
          body: { reason },
        }),
  );

export interface AuditFilter {
  staff_id?: string;
  action?: AuditActionFilter;
  customer_id?: string;
  from?: string;
  to?: string;
}
export const auditQuery = (filter: AuditFilter, before: number | undefined) =>
  queryOptions({
    queryKey: [...supportKey, 'audit', filter, before],
    queryFn: () =>
      data(client.GET('/api/support/audit', { params: { query: { ...filter, ...(before && { before }) } } })),
  });

/** The URL from which the browser downloads the trail as a file. */
export function exportAddress(filter: AuditFilter, format: 'csv' | 'jsonl'): string {
  const query = new URLSearchParams({ ...filter, format });
  return `/api/support/audit/export?${query.toString()}`;
}

export const lostDocumentsQuery = queryOptions({
  queryKey: [...supportKey, 'documents', 'lost'],
  queryFn: () => data(client.GET('/api/support/documents/lost')),
  refetchInterval: 10_000,
});
export const restoreDocuments = (reason: string, key: string) =>
  data(client.POST('/api/support/documents/restore', { params: { header: keyed(key) }, body: { reason } }));
