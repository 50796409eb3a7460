import type { components } from '@/lib/api/schema.gen';
import { post, postFor, put, read } from './call';
import { REFRESH_MS } from './support';

type Schemas = components['schemas'];
export type Webhook = Schemas['Webhook'];
export type WebhookEntry = Omit<Schemas['WebhookEntry'], 'reason' | keyof Proof>;
export type WebhookDelivery = Schemas['WebhookDelivery'];
export type ApiKey = Schemas['ApiKey'];
export type KeyScope = Schemas['ApiScope'];
type Proof = Schemas['StaffProof'];
export type WebhookAct = 'enable' | 'disable' | 'remove' | 'test';

export const webhooksQuery = read('/api/support/webhooks', {}, { refetchInterval: REFRESH_MS });

export const deliveriesQuery = (state: WebhookDelivery['state'] | undefined, before: string | undefined) =>
  read('/api/support/webhook-deliveries', { query: { state, before } }, { refetchInterval: REFRESH_MS });

export const deliveryQuery = (delivery: string) =>
  read('/api/support/webhook-deliveries/{delivery}', { path: { delivery } });

export const keysQuery = read('/api/support/api-keys');

export const addWebhook = (entry: WebhookEntry, reason: string, proof: Proof) =>
  postFor('/api/support/webhooks', { ...entry, reason, ...proof });
export const changeWebhook = (endpoint: string, entry: WebhookEntry, reason: string, proof: Proof) =>
  put('/api/support/webhooks/{endpoint}', { ...entry, reason, ...proof }, { endpoint });
export const rotateWebhook = (endpoint: string, reason: string, proof: Proof) =>
  postFor('/api/support/webhooks/{endpoint}/rotate', { reason, ...proof }, { endpoint });
export const enableWebhook = (endpoint: string, reason: string, proof: Proof) =>
  post('/api/support/webhooks/{endpoint}/enable', { reason, ...proof }, { endpoint });
export const actOnWebhook = (endpoint: string, act: Exclude<WebhookAct, 'enable'>, reason: string) =>
  post(`/api/support/webhooks/{endpoint}/${act}`, { reason }, { endpoint });
export const resendSince = (endpoint: string, since: string, reason: string) =>
  post('/api/support/webhooks/{endpoint}/resend', { since, reason }, { endpoint });
export const resendDelivery = (delivery: string, reason: string) =>
  post('/api/support/webhook-deliveries/{delivery}/resend', { reason }, { delivery });

export const makeKey = (label: string, days: number, scopes: KeyScope[], reason: string, proof: Proof) =>
  postFor('/api/support/api-keys', { label, days, scopes, reason, ...proof });
export const revokeKey = (key: string, reason: string) =>
  post('/api/support/api-keys/{key}/revoke', { reason }, { key });
