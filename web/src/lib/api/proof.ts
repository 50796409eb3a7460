import type { components } from './schema.gen';

export type Challenge = components['schemas']['Challenge'];

const BLOCK = 64;
const DIGIT_0 = 48;

/** The first 32 bits of the fractional parts of the roots of the first primes (FIPS 180-4). */
function roots(count: number, power: number): Int32Array {
  const words: number[] = [];
  for (let n = 2; words.length < count; n += 1) {
    let prime = true;
    for (let d = 2; d * d <= n && prime; d += 1) prime = n % d !== 0;
    if (prime) words.push(((n ** power % 1) * 2 ** 32) | 0);
  }
  return Int32Array.from(words);
}

const K = roots(64, 1 / 3);
const START = roots(8, 1 / 2);
const schedule = new Int32Array(64);

const rotated = (word: number, by: number) => (word >>> by) | (word << (32 - by));

/** One step of SHA-256: mixes the block into the state. Unrolled, since it runs millions of times. */
function compress(state: Int32Array, block: DataView, at: number): void {
  const w = schedule;
  for (let i = 0; i < 16; i += 1) w[i] = block.getInt32(at + i * 4);
  for (let i = 16; i < 64; i += 1) {
    const x = w[i - 15]!;
    const y = w[i - 2]!;
    w[i] =
      w[i - 16]! +
      w[i - 7]! +
      (rotated(x, 7) ^ rotated(x, 18) ^ (x >>> 3)) +
      (rotated(y, 17) ^ rotated(y, 19) ^ (y >>> 10));
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
  for (let i = 0; i < 64; i += 1) {
    const t1 = (h + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) + ((e & f) ^ (~e & g)) + K[i]! + w[i]!) | 0;
    const t2 = ((rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => {
    state[i] = state[i]! + word;
  });
}

/** Finds the number for one part for which the SHA-256 of `<token>:<part>:<number>` begins with that many zero bits. */
export function solvePart(token: string, part: number, bits: number): string {
  const prefix = new TextEncoder().encode(`${token}:${part}:`);
  const whole = Math.floor(prefix.length / BLOCK) * BLOCK;
  const middle = START.slice();
  for (let at = 0; at < whole; at += BLOCK) compress(middle, new DataView(prefix.buffer), at);

  const rest = prefix.subarray(whole);
  const tail = new Uint8Array(2 * BLOCK);
  const view = new DataView(tail.buffer);
  const state = new Int32Array(8);
  for (let n = 0; ; n += 1) {
    const digits = String(n);
    const end = rest.length + digits.length;
    const length = end + 9 > BLOCK ? 2 * BLOCK : BLOCK;
    tail.fill(0);
    tail.set(rest);
    for (let i = 0; i < digits.length; i += 1) tail[rest.length + i] = DIGIT_0 + Number(digits[i]);
    tail[end] = 0x80;
    view.setUint32(length - 4, (whole + end) * 8);
    state.set(middle);
    for (let at = 0; at < length; at += BLOCK) compress(state, view, at);
    if (Math.clz32(state[0]!) >= bits) return digits;
  }
}

/** Solves the challenge and returns the value of the `X-Work` header. */
export function solve({ token, parts, bits }: Challenge): string {
  return `${token}.${Array.from({ length: parts }, (_, part) => solvePart(token, part, bits)).join('-')}`;
}
