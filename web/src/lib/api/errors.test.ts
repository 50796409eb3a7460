// @vitest-environment node
import { expect, test } from 'vitest';
import { ApiError, explain, isAbort, toApiError, waitText } from './errors';

test.each([
  [401, 'error', 'Unauthorized! Please log in again.'],
  [403, 'error', 'Access forbidden! Contact your administrator.'],
  [404, 'warn', 'Resource not found!'],
  [429, 'warn', 'Too many requests. Please try again later.'],
  [500, 'error', 'Server error! Please try again later.'],
] as const)('%s is told in the words of the catalogue, whatever the server says', (status, kind, message) => {
  const failure = new ApiError({ status, message: 'pq: relation does not exist' });
  expect([failure.kind, failure.message]).toEqual([kind, message]);
  expect(failure.detail).toBe('pq: relation does not exist');
});

test.each([300, 400, 402, 409, 422, 503])('%s is told in the server’s words', (status) => {
  expect(new ApiError({ status, message: 'The price has changed.' }).message).toBe('The price has changed.');
  expect(new ApiError({ status, message: '' }).message).toBe('Something went wrong. Please try again.');
  expect(new ApiError({ status }).kind).toBe('error');
});

test('what an answer does not say is empty, and never undefined where it is shown', () => {
  const { code, detail, fields, requestId, redirectTo, retryAfter, unchecked } = new ApiError({ status: 500 });
  expect({ code, detail, fields, requestId, redirectTo, retryAfter, unchecked }).toEqual({
    code: '',
    detail: '',
    fields: {},
    requestId: '',
    redirectTo: '',
    retryAfter: 0,
    unchecked: false,
  });
});

test('whatever was thrown is a failure with words', () => {
  const known = new ApiError({ status: 409, message: 'Taken' });
  expect(toApiError(known)).toBe(known);
  expect(toApiError(new DOMException('', 'TimeoutError')).code).toBe('timeout');
  expect(toApiError(new TypeError('Failed to fetch')).code).toBe('offline');
  expect(toApiError(new TypeError('Failed to fetch')).message).not.toContain('fetch');
  expect(toApiError(new Error('odd')).message).toBe('odd');
  for (const odd of [undefined, null, 'text', 7, {}])
    expect(toApiError(odd).message).toBe('Something went wrong. Please try again.');
});

test('only a call that was given up on purpose is silent', () => {
  expect(isAbort(new DOMException('', 'AbortError'))).toBe(true);
  for (const other of [new DOMException('', 'TimeoutError'), new Error('AbortError'), undefined])
    expect(isAbort(other)).toBe(false);
});

test.each([
  [{ status: 404, message: 'No such invoice.' }, 'No such invoice.'],
  [{ status: 404 }, 'Resource not found!'],
  [{ status: 403, message: 'Only admins may.' }, 'Only admins may.'],
  [{ status: 500, message: 'pq: boom' }, 'Server error! Please try again later.'],
  [{ status: 429, message: 'Slow down.' }, 'Slow down.'],
  [
    { status: 429, message: 'Slow down.', retryAfter: 61 },
    'Too many requests. Please try again later. You can try again in 61 seconds.',
  ],
  [
    { status: 503, code: 'busy', message: 'Many people are signing in.', retryAfter: 2 },
    'Many people are signing in at this moment. Nothing was changed: please try again in 2 seconds.',
  ],
  [
    { status: 429, retryAfter: 600, unchecked: true },
    'This browser could not finish a short check. Please try again, or use a browser in which you logged in before. You can also wait: 10 minutes.',
  ],
])('beside what failed stands what helps: %j', (input, words) => {
  expect(explain(new ApiError(input))).toBe(words);
});

test.each([
  [0, '0 seconds'],
  [1, '1 second'],
  [89, '89 seconds'],
  [90, '2 minutes'],
  [120, '2 minutes'],
  [121, '3 minutes'],
  [89 * 60, '89 minutes'],
  [89 * 60 + 1, '2 hours'],
  [24 * 3600, '24 hours'],
])('%i seconds are said as %s, and never shorter than they are', (seconds, words) => {
  expect(waitText(seconds)).toBe(words);
});
