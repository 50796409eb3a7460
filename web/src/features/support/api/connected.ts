import { queryOptions } from '@tanstack/react-query';
import { data, envelope } from '@/lib/api/client';
import type { components } from '@/lib/api/schema.gen';
import { client, REFRESH_MS, supportKey } from './support';

type Schemas = components['schemas'];
export type Webhook = Schemas['Webhook'];
export type WebhookEntry = Omit<Schemas['WebhookEntry'], 'reason' | keyof Proof>;
export type WebhookDelivery = Schemas['WebhookDelivery'];
export type ApiKey = Schemas['ApiKey'];
type Proof = Schemas['StaffProof'];
export type WebhookAct = 'enable' | 'disable' | 'remove' | 'test';

const header = {};

export const webhooksQuery = queryOptions({
  queryKey: [...supportKey, 'connected', 'webhooks'],
  queryFn: () => data(client.GET('/api/support/webhooks')),
  refetchInterval: REFRESH_MS,
});

/** All lists of deliveries, whatever they show. */
const deliveriesKey = [...supportKey, 'connected', 'deliveries'];

export const deliveriesQuery = (state: '' | WebhookDelivery['state'], before: string) =>
  queryOptions({
    queryKey: [...deliveriesKey, state, before],
    queryFn: () =>
      data(
        client.GET('/api/support/webhook-deliveries', {
          params: { query: { ...(state && { state }), ...(before && { before }) } },
        }),
      ),
    refetchInterval: REFRESH_MS,
  });

export const deliveryQuery = (delivery: string) =>
  queryOptions({
    queryKey: [...supportKey, 'connected', 'delivery', delivery],
    queryFn: () => data(client.GET('/api/support/webhook-deliveries/{delivery}', { params: { path: { delivery } } })),
  });

export const keysQuery = queryOptions({
  queryKey: [...supportKey, 'connected', 'keys'],
  queryFn: () => data(client.GET('/api/support/api-keys')),
});

export const addWebhook = (entry: WebhookEntry, reason: string, proof: Proof) =>
  data(client.POST('/api/support/webhooks', { params: { header }, body: { ...entry, reason, ...proof } }));

export const changeWebhook = (endpoint: string, entry: WebhookEntry, reason: string, proof: Proof) =>
  data(
    client.PUT('/api/support/webhooks/{endpoint}', {
      params: { path: { endpoint }, header },
      body: { ...entry, reason, ...proof },
    }),
  );

export const rotateWebhook = (endpoint: string, reason: string, proof: Proof) =>
  data(
    client.POST('/api/support/webhooks/{endpoint}/rotate', {
      params: { path: { endpoint }, header },
      body: { reason, ...proof },
    }),
  );

export const enableWebhook = (endpoint: string, reason: string, proof: Proof) =>
  data(
    client.POST('/api/support/webhooks/{endpoint}/enable', {
      params: { path: { endpoint }, header },
      body: { reason, ...proof },
    }),
  );

export const actOnWebhook = (endpoint: string, act: Exclude<WebhookAct, 'enable'>, reason: string) =>
  envelope(
    client.POST(`/api/support/webhooks/{endpoint}/${act}`, {
      params: { path: { endpoint }, header },
      body: { reason },
    }),
  );

export const resendSince = (endpoint: string, since: string, reason: string) =>
  data(
    client.POST('/api/support/webhooks/{endpoint}/resend', {
      params: { path: { endpoint }, header },
      body: { since, reason },
    }),
  );

export const resendDelivery = (delivery: string, reason: string) =>
  envelope(
    client.POST('/api/support/webhook-deliveries/{delivery}/resend', {
      params: { path: { delivery }, header },
      body: { reason },
    }),
  );

export type KeyScope = Schemas['ApiScope'];

export const makeKey = (label: string, days: number, scopes: KeyScope[], reason: string, proof: Proof) =>
  data(
    client.POST('/api/support/api-keys', {
      params: { header },
      body: { label, days, scopes, reason, ...proof },
    }),
  );

export const revokeKey = (key: string, reason: string) =>
  envelope(client.POST('/api/support/api-keys/{key}/revoke', { params: { path: { key }, header }, body: { reason } }));
