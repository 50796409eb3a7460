import { api, data } from '@/lib/api/client';
import type { components } from '@/lib/api/schema.gen';

/** `POST /subscription/add-ons-services/payments/details`: the price of add-ons until the end of the current term. */
export function previewAddOns(body: components['schemas']['AddOnSelection'], signal: AbortSignal) {
  return data(api.POST('/subscription/add-ons-services/payments/details', { body, signal }));
}
