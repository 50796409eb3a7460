import { toApiError } from '@/lib/api/errors';

/** Errors that are transient or are solved by reloading the price. */
const passing = new Set(['price_changed', 'request_running']);

/** Whether retrying would fail the same way until something else changes, so that no retry button is shown. */
export function isRefusal(error: unknown): boolean {
  const { status, code } = toApiError(error);
  return (status === 402 || status === 409 || status === 422) && !passing.has(code);
}
