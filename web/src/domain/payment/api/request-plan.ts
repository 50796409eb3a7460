import { api, envelope } from '@/lib/api/client';
import type { components } from '@/lib/api/schema.gen';

/** `POST /subscription/payments/request`: a gateway session for a plan. */
export function requestPlan(body: components['schemas']['PlanPaymentRequest'], key: string) {
  return envelope(api.POST('/subscription/payments/request', { body, params: { header: { 'Idempotency-Key': key } } }));
}
