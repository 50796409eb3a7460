import { api, envelope } from '@/lib/api/client';
import type { components } from '@/lib/api/schema.gen';

/** `POST /renew-subscription/payments/request`: a gateway session for the next term. */
export function requestRenewal(body: components['schemas']['RenewPaymentRequest'], key: string) {
  return envelope(
    api.POST('/renew-subscription/payments/request', { body, params: { header: { 'Idempotency-Key': key } } }),
  );
}
