import { createHash } from 'node:crypto';
import { http, HttpResponse } from 'msw';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ok, server } from '@/testing/server';
import { api, envelope } from './client';
import { explain } from './errors';
import { solve, solvePart, type Challenge } from './proof';

const challenge: Challenge = { token: 'A'.repeat(76), parts: 4, bits: 8, expires_in: 600 };

function zeroBits(text: string): number {
  const digest = createHash('sha256').update(text).digest();
  return Math.clz32(digest.readUInt32BE());
}

/** Replaces the browser's worker, which jsdom does not implement. */
class TestWorker {
  onmessage: ((event: { data: string }) => void) | null = null;
  postMessage(one: Challenge) {
    setTimeout(() => this.onmessage?.({ data: solve(one) }));
  }
  terminate() {
    this.onmessage = null;
  }
}

describe('the work', () => {
  it.each([1, 40, 50, 55, 60, 76, 130])('is SHA-256 for a token of %i characters', (length) => {
    const token = 'x'.repeat(length);
    for (const part of [0, 15])
      expect(zeroBits(`${token}:${part}:${solvePart(token, part, 9)}`)).toBeGreaterThanOrEqual(9);
  });

  it('answers every part', () => {
    const [token, numbers] = solve(challenge).split('.');
    expect(token).toBe(challenge.token);
    const found = numbers?.split('-') ?? [];
    expect(found).toHaveLength(4);
    found.forEach((number, part) => expect(zeroBits(`${token}:${part}:${number}`)).toBeGreaterThanOrEqual(8));
  });
});

describe('a call that is asked for work', () => {
  afterEach(() => vi.unstubAllGlobals());

  const asked = (enough: number) => {
    const sent: (string | null)[] = [];
    const bodies: unknown[] = [];
    server.use(
      http.post('*/api/franchise/password/reset-otp', async ({ request }) => {
        sent.push(request.headers.get('X-Work'));
        bodies.push(await request.json());
        if (sent.length > enough) return ok({ resend_after: 59, expires_in: 600 }, 'Sent.');
        return HttpResponse.json(
          { status: false, message: 'no', code: 'too_many_requests', request_id: 'r', retry_after: 30, challenge },
          { status: 429, headers: { 'Retry-After': '30' } },
        );
      }),
    );
    return { sent, bodies };
  };
  const call = () => envelope(api.POST('/password/reset-otp', { body: { mobile: '9876543210' } }));

  it('does it and is sent again with the same body', async () => {
    vi.stubGlobal('Worker', TestWorker);
    const { sent, bodies } = asked(2);
    await expect(call()).resolves.toMatchObject({ message: 'Sent.' });
    expect(sent).toEqual([null, solve(challenge), solve(challenge)]);
    expect(bodies).toEqual(Array.from({ length: 3 }, () => ({ mobile: '9876543210' })));
  });

  it('gives up after three times', async () => {
    vi.stubGlobal('Worker', TestWorker);
    const { sent } = asked(10);
    await expect(call()).rejects.toMatchObject({ status: 429, retryAfter: 30, unchecked: true });
    expect(sent).toHaveLength(4);
  });

  it('says what to do where the browser has no workers', async () => {
    const { sent } = asked(10);
    const failure = await call().catch((error: unknown) => error);
    expect(sent).toHaveLength(1);
    expect(explain(failure)).toBe(
      'This browser could not finish a short check. Please try again, or use a browser in which you logged in before. You can also wait: 30 seconds.',
    );
  });
});
