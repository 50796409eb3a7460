// @vitest-environment node
import { expect, test } from 'vitest';
import { gstinChecks, isGstin } from './gstin';

// Numbers whose check character was computed by the published rule, independently of the code.
test.each(['27AAPFU0939F1ZV', '24AAQCA8719H1ZC', '27AAQCA8719H1Z6', '29AAGCB7383J1Z4'])('%s is a GSTIN', (number) => {
  expect(isGstin(number)).toBe(true);
});

test.each([
  ['a wrong check character', '27AAPFU0939F1ZO'],
  ['nothing', ''],
  ['one short', '27AAPFU0939F1Z'],
  ['one long', '27AAPFU0939F1ZVV'],
  ['small letters, which the form puts up before', '27aapfu0939f1zv'],
  ['a nought for the entity', '27AAPFU0939F0ZX'],
  ['a letter that no number has before the last', '27AAPFU0939F1CX'],
  ['digits of another script', '२७AAPFU0939F1ZV'],
  ['full-width letters', '27ＡAPFU0939F1ZV'],
  ['a line end', '27AAPFU0939F1ZV\n'],
  ['a space', ' 27AAPFU0939F1ZV'],
  ['NUL', '27AAPFU0939F1Z\0'],
])('%s is none', (_, number) => {
  expect(isGstin(number)).toBe(false);
});

test('the fourteenth character is one that the portal gives out, whatever the check character says', () => {
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';
  const taken = [...digits].filter((char) => [...digits].some((last) => isGstin(`27AAPFU0939F1${char}${last}`)));
  expect(taken.join('')).toBe('123456789ABDEFGHIJZ');
});

test('any single mistake is found', () => {
  const number = '27AAPFU0939F1ZV';
  for (let at = 0; at < number.length; at += 1)
    for (const char of '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ') {
      const changed = number.slice(0, at) + char + number.slice(at + 1);
      expect(isGstin(changed), changed).toBe(changed === number);
    }
});

test.each([
  ['27AAPFU0939F1ZO', 'A character of this GSTIN is wrong: please check it against your registration certificate'],
  ['27AAPFU0939F1Z', 'A GSTIN has 15 characters'],
  ['27AAPFU0939F1!V', 'This is not a valid GSTIN: please check it against your registration certificate'],
  ['27AAPFU0939F1ZV', undefined],
])('of %s is said what is wrong: %s', (number, message) => {
  expect(gstinChecks.find(([holds]) => !holds(number))?.[1]).toBe(message);
});
