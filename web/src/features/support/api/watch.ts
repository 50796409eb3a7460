import type { components } from '@/lib/api/schema.gen';
import { post, read } from './call';
import { REFRESH_MS } from './support';

type Schemas = components['schemas'];
export type Alert = Schemas['SupportAlert'];
export type PastAlert = Schemas['PastAlert'];
export type AlertRules = Schemas['AlertRules'];
export type WorkGroup = Schemas['WorkGroup'];
export type WorkRow = Schemas['WorkRow'];
export type BookInvariant = Schemas['BookInvariant'];
export type BookCheck = Schemas['BookCheck'];

export const alertsQuery = read('/api/support/alerts', {}, { refetchInterval: 15_000, retry: false });
export const pastAlertsQuery = read('/api/support/alerts/history');
export const alertRulesQuery = read('/api/support/alerts/rules', {}, { staleTime: 60_000 });

export const acknowledgeAlert = (id: string, reason: string) =>
  post('/api/support/alerts/{id}/acknowledge', { reason }, { id });
export const silenceAlert = (id: string, minutes: number, reason: string) =>
  post('/api/support/alerts/{id}/silence', { minutes, reason }, { id });
export const unsilenceAlert = (id: string, reason: string) =>
  post('/api/support/alerts/{id}/unsilence', { reason }, { id });

export const workQuery = read('/api/support/work', {}, { refetchInterval: REFRESH_MS * 3 });
export const claimWork = (kind: string, key: string, takeOver: boolean) =>
  post('/api/support/work/claim', { kind, key, take_over: takeOver });
export const releaseWork = (kind: string, key: string) => post('/api/support/work/release', { kind, key });

export const bookChecksQuery = read('/api/support/books/checks', {}, { refetchInterval: REFRESH_MS });
export const runBookChecks = (reason: string) => post('/api/support/books/checks/run', { reason });
