import { toApiError } from '@/lib/api/errors';

/** Refusals that pass by themselves, or by seeing the price anew. */
const passing = new Set(['price_changed', 'request_running']);

/** Whether asking again would bring the same answer until something else has changed, so that no button offers it. */
export function isRefusal(error: unknown): boolean {
  const { status, code } = toApiError(error);
  return (status === 402 || status === 409 || status === 422) && !passing.has(code);
}
