import { queryOptions } from '@tanstack/react-query';
import { data, envelope } from '@/lib/api/client';
import type { components } from '@/lib/api/schema.gen';
import { client, REFRESH_MS, supportKey } from './support';

type Schemas = components['schemas'];
export type Alert = Schemas['SupportAlert'];
export type PastAlert = Schemas['PastAlert'];
export type AlertRules = Schemas['AlertRules'];
export type WorkGroup = Schemas['WorkGroup'];
export type WorkRow = Schemas['WorkRow'];
export type BookInvariant = Schemas['BookInvariant'];
export type BookCheck = Schemas['BookCheck'];

export const alertsQuery = queryOptions({
  queryKey: [...supportKey, 'alerts'],
  queryFn: () => data(client.GET('/api/support/alerts')),
  refetchInterval: 15_000,
  retry: false,
});

export const pastAlertsQuery = queryOptions({
  queryKey: [...supportKey, 'alerts', 'history'],
  queryFn: () => data(client.GET('/api/support/alerts/history')),
});

export const alertRulesQuery = queryOptions({
  queryKey: [...supportKey, 'alerts', 'rules'],
  queryFn: () => data(client.GET('/api/support/alerts/rules')),
  staleTime: 60_000,
});

const of = (id: string) => ({ path: { id } });

export const acknowledgeAlert = (id: string, reason: string) =>
  envelope(client.POST('/api/support/alerts/{id}/acknowledge', { params: of(id), body: { reason } }));

export const silenceAlert = (id: string, minutes: number, reason: string) =>
  envelope(client.POST('/api/support/alerts/{id}/silence', { params: of(id), body: { minutes, reason } }));

export const unsilenceAlert = (id: string, reason: string) =>
  envelope(client.POST('/api/support/alerts/{id}/unsilence', { params: of(id), body: { reason } }));

export const workQuery = queryOptions({
  queryKey: [...supportKey, 'work'],
  queryFn: () => data(client.GET('/api/support/work')),
  refetchInterval: REFRESH_MS * 3,
});

export const claimWork = (kind: string, key: string, takeOver: boolean) =>
  envelope(client.POST('/api/support/work/claim', { body: { kind, key, take_over: takeOver } }));

export const releaseWork = (kind: string, key: string) =>
  envelope(client.POST('/api/support/work/release', { body: { kind, key } }));

export const bookChecksQuery = queryOptions({
  queryKey: [...supportKey, 'books', 'checks'],
  queryFn: () => data(client.GET('/api/support/books/checks')),
  refetchInterval: REFRESH_MS,
});

export const runBookChecks = (reason: string) =>
  envelope(client.POST('/api/support/books/checks/run', { body: { reason } }));
