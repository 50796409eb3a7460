import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { siteUrl } from './own-stack';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
/** The lifetime of a code in seconds (RFC 6238). */
export const STEP = 30;

function decode(secret: string): Buffer {
  const bits = [...secret].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** The step of the product's time. */
async function stepNow(): Promise<number> {
  const answer = await fetch(`${siteUrl()}/dev/clock`);
  expect(answer.status).toBe(200);
  const { data } = (await answer.json()) as { data: { now: string } };
  return Math.floor(Date.parse(data.now) / 1000 / STEP);
}

/** The last step whose code was used, by secret. */
const used = new Map<string, number>();

/** Six digits of an authenticator app that this test did not use yet. The product takes the code of the next step, too. */
export async function unusedCode(secret: string): Promise<string> {
  const last = used.get(secret) ?? 0;
  let step = Math.max(await stepNow(), last + 1);
  while (step > (await stepNow()) + 1) await sleep(1000);
  step = Math.max(step, await stepNow());
  used.set(secret, step);
  return codeAt(secret, step);
}

/** The six digits of an authenticator app at the product's time (RFC 6238, SHA-1). */
export async function totpCode(secret: string): Promise<string> {
  return codeAt(secret, await stepNow());
}

function codeAt(secret: string, at: number): string {
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(at));
  const mac = createHmac('sha1', decode(secret)).update(step).digest();
  const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
}
