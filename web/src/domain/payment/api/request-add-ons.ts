import { api, envelope } from '@/lib/api/client';
import type { components } from '@/lib/api/schema.gen';

/** `POST /subscription/add-ons-services/payments/request`: a gateway session for add-ons. */
export function requestAddOns(body: components['schemas']['AddOnPaymentRequest'], key: string) {
  return envelope(
    api.POST('/subscription/add-ons-services/payments/request', {
      body,
      params: { header: { 'Idempotency-Key': key } },
    }),
  );
}
