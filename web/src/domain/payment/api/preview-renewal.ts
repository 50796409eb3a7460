import { api, data } from '@/lib/api/client';
import type { components } from '@/lib/api/schema.gen';

/** `POST /renew-subscription/payments/details`: the price of the next term. */
export function previewRenewal(body: components['schemas']['RenewSelection'], signal: AbortSignal) {
  return data(api.POST('/renew-subscription/payments/details', { body, signal }));
}
