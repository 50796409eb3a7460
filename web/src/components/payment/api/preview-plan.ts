import { api, data } from '@/lib/api/client';
import type { components } from '@/lib/api/schema.gen';

/** `POST /subscription/payments/details`: what a plan with its add-ons costs this account now. */
export function previewPlan(body: components['schemas']['PlanSelection'], signal: AbortSignal) {
  return data(api.POST('/subscription/payments/details', { body, signal }));
}
