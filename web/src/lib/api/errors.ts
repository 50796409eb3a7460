import { plural, t } from '@lingui/core/macro';
import type { ToastKind } from '@/lib/toast';
import { failureText } from './server-words';

export const UNAUTHORIZED = t`Unauthorized! Please log in again.`;
const UNCHECKED = t`This browser could not finish a short check. Please try again, or use a browser in which you logged in before.`;
const FALLBACK = t`Something went wrong. Please try again.`;

/** The details of a failed call. */
export interface ApiErrorInput {
  status: number;
  message?: string;
  code?: string;
  fields?: Record<string, string[]>;
  requestId?: string;
  redirectTo?: string;
  retryAfter?: number;
  /** With the code `price_changed`: the server's total in paise. */
  expectedTotal?: number;
  /** With the code `limit_reached`: how much of the limit is used, and the limit. */
  current?: number;
  limit?: number;
  /** The server required a browser check that this browser did not complete. */
  unchecked?: boolean;
}

interface CatalogueEntry {
  kind: ToastKind;
  message?: string;
}

/** The error catalogue: how each status is shown, and with whose text. */
const catalogue: Record<number, CatalogueEntry> = {
  300: { kind: 'error' },
  400: { kind: 'error' },
  401: { kind: 'error', message: UNAUTHORIZED },
  403: { kind: 'error', message: t`Access forbidden! Contact your administrator.` },
  404: { kind: 'warn', message: t`Resource not found!` },
  422: { kind: 'error' },
  429: { kind: 'warn', message: t`Too many requests. Please try again later.` },
  500: { kind: 'error', message: t`Server error! Please try again later.` },
};

/**
 * A failed call. `message` is the catalogue's text for its status, `detail` the server's own text,
 * `fields` the server's messages by field name, in the page's language, and `requestId` identifies the call for support.
 */
export class ApiError extends Error {
  readonly status: number;
  readonly kind: ToastKind;
  readonly code: string;
  readonly detail: string;
  readonly fields: Record<string, string[]>;
  readonly requestId: string;
  readonly redirectTo: string;
  readonly retryAfter: number;
  readonly expectedTotal: number | undefined;
  readonly current: number | undefined;
  readonly limit: number | undefined;
  readonly unchecked: boolean;

  constructor(input: ApiErrorInput) {
    const entry = catalogue[input.status];
    const detail = failureText(input.code, input.message);
    super(entry?.message ?? (detail || FALLBACK));
    this.name = 'ApiError';
    this.status = input.status;
    this.kind = entry?.kind ?? 'error';
    this.code = input.code ?? '';
    this.detail = detail;
    this.fields = input.fields ?? {};
    this.requestId = input.requestId ?? '';
    this.redirectTo = input.redirectTo ?? '';
    this.retryAfter = input.retryAfter ?? 0;
    this.expectedTotal = input.expectedTotal;
    this.current = input.current;
    this.limit = input.limit;
    this.unchecked = input.unchecked ?? false;
  }
}

/** Converts anything thrown to an ApiError; a lost connection and a time-out have separate texts. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return new ApiError({
      status: 0,
      code: 'timeout',
      message: t`The server took too long to answer. Please try again.`,
    });
  }
  if (error instanceof TypeError) {
    return new ApiError({
      status: 0,
      code: 'offline',
      message: t`We could not reach the server. Check your connection and try again.`,
    });
  }
  return new ApiError({ status: 0, message: error instanceof Error ? error.message : FALLBACK });
}

/** True for a call that was aborted on purpose and need not be reported. */
export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

/** The text to show next to the failed part: the server's own if it is useful. */
export function explain(error: unknown): string {
  const failure = toApiError(error);
  if (failure.unchecked) return t`${UNCHECKED} You can also wait: ${waitText(failure.retryAfter)}.`;
  if (failure.status === 429 && failure.retryAfter > 0)
    return t`${failure.message} You can try again in ${waitText(failure.retryAfter)}.`;
  if (failure.code === 'busy')
    return t`Many people are signing in at this moment. Nothing was changed: please try again in ${waitText(failure.retryAfter)}.`;
  if (failure.status === 429 || failure.status === 404 || failure.status === 403)
    return failure.detail && failure.detail !== failure.message ? failure.detail : failure.message;
  return failure.message;
}

/** Formats a waiting time in seconds as words. */
export function waitText(seconds: number): string {
  if (seconds < 90) return plural(seconds, { one: '# second', other: '# seconds' });
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 90) return t`${minutes} minutes`;
  return t`${Math.ceil(minutes / 60)} hours`;
}
