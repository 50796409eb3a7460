import { api, data } from '@/lib/api/client';
import type { components } from '@/lib/api/schema.gen';

/** `POST /subscription/payments/details`: the price of a plan with its add-ons for this account now. */
export function previewPlan(body: components['schemas']['PlanSelection'], signal: AbortSignal) {
  return data(api.POST('/subscription/payments/details', { body, signal }));
}
