import { createHmac } from 'node:crypto';
import { expect } from 'vitest';
import { siteUrl } from './own-stack';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
/** The lifetime of a code in seconds (RFC 6238). */
export const STEP = 30;

function decode(secret: string): Buffer {
  const bits = [...secret].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** The six digits of an authenticator app at the product's time (RFC 6238, SHA-1). */
export async function totpCode(secret: string): Promise<string> {
  const answer = await fetch(`${siteUrl()}/dev/clock`);
  expect(answer.status).toBe(200);
  const { data } = (await answer.json()) as { data: { now: string } };
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(Date.parse(data.now) / 1000 / STEP)));
  const mac = createHmac('sha1', decode(secret)).update(step).digest();
  const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
}
