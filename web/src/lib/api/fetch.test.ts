import { getDefaultStore } from 'jotai';
import { http, HttpResponse } from 'msw';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { endSession, getSession, startSession } from '@/lib/session/session';
import { toastsAtom } from '@/lib/toast';
import { franchiserUser, signedIn } from '@/testing/factories';
import { answer, ok, refuse, server } from '@/testing/server';
import { api, data, envelope } from './client';
import { ApiError } from './errors';

/** Answers 401 until the session was renewed. */
function expiring() {
  const state = { renewed: 0, calls: 0 };
  server.use(
    http.get('*/api/franchise/profile/details/profile', () => {
      state.calls += 1;
      return state.renewed
        ? ok({ first_name: 'Asha', last_name: '', mobile: '', email: '' })
        : HttpResponse.json(
            { status: false, message: 'no', code: 'session_expired', request_id: 'r' },
            { status: 401 },
          );
    }),
    http.post('*/api/franchise/refresh', () => {
      state.renewed += 1;
      return ok(signedIn());
    }),
  );
  return state;
}

const profile = () => data(api.GET('/profile/details/profile'));

describe('a session that ran out', () => {
  beforeEach(() => startSession(franchiserUser()));

  it('is renewed once, silently, for all calls that waited', async () => {
    const state = expiring();
    const answers = await Promise.all([profile(), profile(), profile()]);
    expect(answers.map((one) => one.first_name)).toEqual(['Asha', 'Asha', 'Asha']);
    expect(state.renewed).toBe(1);
    expect(getSession().isAuthenticated).toBe(true);
  });

  it('is not renewed again when another tab has just done so', async () => {
    const state = expiring();
    localStorage.setItem('franchise360-refreshed-at', String(Date.now() + 60_000));
    await expect(profile()).rejects.toMatchObject({ status: 401 });
    expect(state.renewed).toBe(0);
    expect(state.calls).toBe(2);
  });

  it('ends where it cannot be renewed', async () => {
    refuse('get', '/profile/details/profile', 401);
    refuse('post', '/refresh', 401);
    await expect(profile()).rejects.toMatchObject({ status: 401, message: 'Unauthorized! Please log in again.' });
    expect(getSession().isAuthenticated).toBe(false);
  });

  it('is reported at once, on any request, to a signed-in user', async () => {
    refuse('get', '/profile/details/profile', 401);
    refuse('post', '/refresh', 401);
    await expect(profile()).rejects.toMatchObject({ status: 401 });
    expect(getDefaultStore().get(toastsAtom)).toMatchObject([
      { kind: 'error', message: 'Unauthorized! Please log in again.' },
    ]);
  });

  it('is not reported to a visitor without a session', async () => {
    endSession();
    refuse('get', '/profile/details/profile', 401);
    refuse('post', '/refresh', 401);
    await expect(profile()).rejects.toMatchObject({ status: 401 });
    expect(getDefaultStore().get(toastsAtom)).toEqual([]);
  });

  it('stays while the server is in trouble', async () => {
    refuse('get', '/profile/details/profile', 401);
    refuse('post', '/refresh', 503);
    await expect(profile()).rejects.toBeInstanceOf(ApiError);
    expect(getSession().isAuthenticated).toBe(true);
  });
});

it('keeps a wrong password apart from an ended session', async () => {
  const refresh = answer('post', '/refresh', signedIn());
  refuse('post', '/login', 401, { message: 'Wrong mobile or password.' });
  await expect(
    envelope(api.POST('/login', { body: { username: '9876543210', password: 'x', remember: false } })),
  ).rejects.toMatchObject({ status: 401 });
  expect(refresh.requests).toHaveLength(0);
});

describe('a write', () => {
  afterEach(() => {
    document.cookie = 'XSRF-TOKEN=; max-age=0';
  });

  it('carries the XSRF cookie in its header', async () => {
    document.cookie = 'XSRF-TOKEN=abc%2F1';
    const sent = answer('post', '/password/reset-otp', { resend_after: 59, expires_in: 600 });
    await envelope(api.POST('/password/reset-otp', { body: { mobile: '9876543210' } }));
    expect(sent.requests[0]?.headers.get('X-XSRF-TOKEN')).toBe('abc/1');
    expect(sent.requests[0]?.credentials).toBe('include');
  });
});

describe('a failed call', () => {
  it('brings fields, request id and the way to mend it', async () => {
    refuse('post', '/password/reset-otp', 422, {
      message: 'Please check the marked fields.',
      messages: { mobile: ['Please enter valid number'] },
      request_id: 'req-7',
      redirect_to: '/store-details/address',
    });
    const failure = await envelope(api.POST('/password/reset-otp', { body: { mobile: '1' } })).catch(
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({
      status: 422,
      message: 'Please check the marked fields.',
      fields: { mobile: ['Please enter valid number'] },
      requestId: 'req-7',
      redirectTo: '/store-details/address',
    });
  });

  it.each([
    [403, 'Access forbidden! Contact your administrator.', 'error'],
    [404, 'Resource not found!', 'warn'],
    [429, 'Too many requests. Please try again later.', 'warn'],
    [500, 'Server error! Please try again later.', 'error'],
    [409, 'Own words.', 'error'],
    [400, 'Own words.', 'error'],
  ])('%i speaks as the catalogue says', async (status, message, kind) => {
    refuse('post', '/password/reset-otp', status, { message: 'Own words.' });
    await expect(envelope(api.POST('/password/reset-otp', { body: { mobile: '1' } }))).rejects.toMatchObject({
      message,
      kind,
    });
  });

  it('has words for a broken connection', async () => {
    server.use(http.post('*/api/franchise/password/reset-otp', () => HttpResponse.error()));
    await expect(envelope(api.POST('/password/reset-otp', { body: { mobile: '1' } }))).rejects.toMatchObject({
      message: 'We could not reach the server. Check your connection and try again.',
    });
  });

  it('has words for an answer that is not ours', async () => {
    server.use(http.post('*/api/franchise/password/reset-otp', () => new HttpResponse('<html>', { status: 502 })));
    await expect(envelope(api.POST('/password/reset-otp', { body: { mobile: '1' } }))).rejects.toMatchObject({
      message: 'Something went wrong. Please try again.',
    });
  });
});
