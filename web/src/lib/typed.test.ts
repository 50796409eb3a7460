// @vitest-environment node
import { expect, test } from 'vitest';
import samples from '../../../pkg/platform/text/testdata/typed.json';
import { asciiDigits, codeDigits, gstinOf, line, mobileDigits, pinDigits, withoutMarks } from './typed';

// The same samples test the server's functions, in pkg/platform/text and pkg/platform/gstin.

test.each(samples.mobile.fine)('the mobile number %j gives its ten digits', (typed) =>
  expect(mobileDigits(typed)).toBe('9876543210'),
);
test.each(samples.mobile.bad)('%j is no mobile number', (typed) =>
  expect(mobileDigits(typed)).not.toMatch(/^[6-9]\d{9}$/),
);

test.each(samples.code.fine)('the code in %j is found', (typed) => expect(codeDigits(typed)).toBe('123456'));
test.each(samples.code.bad)('%j holds no code', (typed) => expect(codeDigits(typed)).not.toMatch(/^\d{6}$/));

test.each(samples.pincode)('the PIN code %j becomes %j', (typed, want) => expect(pinDigits(String(typed))).toBe(want));
test.each(samples.line)('the line %j becomes %j', (typed, want) => expect(line(String(typed))).toBe(want));
test.each(samples.free)('the text %j becomes %j', (typed, want) => expect(withoutMarks(String(typed))).toBe(want));
test.each(samples.gstin)('the GSTIN %j becomes %j', (typed, want) => expect(gstinOf(String(typed))).toBe(want));

test('the digits of every script become ASCII digits', () => {
  const all: string[] = [];
  for (let code = 0; code <= 0x10ffff; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const character = String.fromCodePoint(code);
    if (/\p{Nd}/u.test(character)) all.push(character);
  }
  const runs = all.length / 10;
  expect(runs).toBeGreaterThan(60);
  expect(asciiDigits(all.join(''))).toBe('0123456789'.repeat(runs));
});
