import createClient from 'openapi-fetch';
import { ApiError, toApiError } from './errors';
import { API_PREFIX, sessionFetch } from './fetch';
import type { paths } from './schema.gen';

const origin = typeof location === 'undefined' ? 'http://localhost' : location.origin;

/** The typed client of the API contract. Wrap every call in `data` or `envelope`, which throw ApiError. */
export const api = createClient<paths>({ baseUrl: `${origin}${API_PREFIX}`, fetch: sessionFetch });

interface Answer<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function count(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function fieldMessages(value: unknown): Record<string, string[]> {
  if (!isRecord(value)) return {};
  const entries = Object.entries(value).map(([field, messages]): [string, string[]] => [
    field,
    (Array.isArray(messages) ? messages : [messages]).filter(
      (message): message is string => typeof message === 'string',
    ),
  ]);
  return Object.fromEntries(entries.filter(([, messages]) => messages.length > 0));
}

function failure(body: unknown, response: Response): ApiError {
  const envelope = isRecord(body) ? body : {};
  return new ApiError({
    status: response.status,
    message: text(envelope.message),
    code: text(envelope.code),
    fields: fieldMessages(envelope.messages),
    requestId: text(envelope.request_id) || (response.headers.get('X-Request-Id') ?? ''),
    redirectTo: text(envelope.redirect_to),
    retryAfter: Number(response.headers.get('Retry-After') ?? 0) || 0,
    expectedTotal: count(envelope.expected_total),
    current: count(envelope.current),
    limit: count(envelope.limit),
    unchecked: isRecord(envelope.challenge),
  });
}

/** The whole success envelope of a call, including `message`. Throws ApiError for anything else. */
export async function envelope<T>(call: Promise<Answer<T>>): Promise<T> {
  let answer: Answer<T>;
  try {
    answer = await call;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw toApiError(error);
  }
  if (!answer.response.ok || answer.data === undefined) throw failure(answer.error, answer.response);
  return answer.data;
}

/** The `data` of a call's success envelope. Throws ApiError for anything else. */
export async function data<T>(call: Promise<Answer<{ data: T }>>): Promise<T> {
  return (await envelope(call)).data;
}
