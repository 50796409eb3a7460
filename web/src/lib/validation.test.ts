// @vitest-environment node

import { describe, expect, test } from 'vitest';
import type * as z from 'zod/mini';
import emails from '../../../pkg/account/testdata/emails.json';
import { isGstin } from './gstin';
import * as rules from './validation';

/** The value that the rule returns, or the message with which it refuses the input. */
function judge(schema: z.ZodMiniType<unknown, unknown>, value: unknown): unknown {
  const result = schema.safeParse(value);
  return result.success ? result.data : { refused: result.error.issues[0]?.message };
}
const refused = (message: string) => ({ refused: message });

describe('a mobile number', () => {
  test.each(['9876543210', '98765 43210', '+91 98765-43210', '919876543210', '09876543210', ' (0) 98765.43210 '])(
    'as people write it is taken: %s',
    (typed) => expect(judge(rules.mobile(), typed)).toBe('9876543210'),
  );
  test.each([
    ['', 'Mobile number can not be empty.'],
    ['98765', 'Please enter valid number'],
    ['98765432101', 'Please enter valid number'],
    ['5876543210', 'Invalid: mobile numbers start with 6, 7, 8 or 9'],
  ])('%j is refused', (typed, message) => expect(judge(rules.mobile(), typed)).toEqual(refused(message)));
});

describe('a password', () => {
  test.each(['Mango#26', 'correct horse battery', 'आमआमआमआमआमआमआमआ'])('%s is good', (typed) =>
    expect(judge(rules.password(), typed)).toBe(typed),
  );
  test.each([
    ['', 'Password can not be empty.'],
    ['Mang#26', 'Password needs at least 8 characters'],
    ['mango#26', expect.stringContaining('upper-case letter')],
    ['Mango 26#', expect.stringContaining('no spaces')],
    ['Mangoooo', expect.stringContaining('digit')],
    [`${'Mango#26'.repeat(16)}x`, 'Password is too long'],
  ])('%j is refused', (typed, message) => expect(judge(rules.password(), typed)).toEqual({ refused: message }));

  test('keeps the spaces around it, which belong to it', () => {
    expect(judge(rules.currentPassword(), ' x ')).toBe(' x ');
  });

  test('the checklist ticks off rule by rule', () => {
    const met = (typed: string) => rules.passwordRules.filter((rule) => rule.met(typed)).map(({ label }) => label);
    expect(met('')).toEqual([]);
    expect(met('mango')).toEqual(['A lower-case letter', 'No spaces']);
    expect(met('Mango#26')).toHaveLength(rules.passwordRules.length);
    expect(met('fifteen letters')).toHaveLength(rules.passwordRules.length);
  });

  test('does not hold the person’s own name, number or e-mail', () => {
    const own = ['Asha', '9876543210', 'asha.k@example.in', ''];
    expect(rules.holdsOwn('ASHA#2026', own)).toBe(true);
    expect(rules.holdsOwn('x9876543210x', own)).toBe(true);
    expect(rules.holdsOwn('asha.k#2026', ['', 'asha.k@example.in'])).toBe(true);
    expect(rules.holdsOwn('Mango#2026', own)).toBe(false);
    expect(rules.holdsOwn('Jo#2026mango', ['Jo'])).toBe(false);
  });
});

describe('an e-mail address', () => {
  test.each(emails.fine)('%s is one', (typed) => expect(judge(rules.email(), ` ${typed} `)).toBe(typed));
  test.each(emails.bad.filter(Boolean))('%j is none', (typed) => expect(rules.isEmail(typed)).toBe(false));
  test('without a full domain is refused with a message', () =>
    expect(judge(rules.email(), 'asha@example')).toEqual(refused('Please enter your valid email id')));
});

describe('names', () => {
  test('are letters of any script, one space between them', () => {
    expect(judge(rules.personName(), '  Asha   Kulkarni ')).toBe('Asha Kulkarni');
    expect(judge(rules.personName(), 'आशा')).toBe('आशा');
    expect(judge(rules.personName(), "S. K. D'Souza-Rao")).toBe("S. K. D'Souza-Rao");
    expect(judge(rules.personName(), 'O’Brien')).toBe("O'Brien");
    expect(judge(rules.personName(), 'मृणाल सूर्‍यवंशी')).toBe('मृणाल सूर्‍यवंशी');
    expect(judge(rules.personName(), 'ജോസഫ്‌')).toBe('ജോസഫ്‌');
    expect(judge(rules.firstName(), 'K')).toBe('K');
    expect(judge(rules.lastName(), '')).toBe('');
    expect(judge(rules.personName(), 'Jose\u0301')).toBe('José');
  });
  test.each([
    ['', 'Name can not be empty.'],
    ['A', 'Please use at least 2 characters'],
    ['Asha2', "Please use letters, spaces and . ' - only"],
    ['\u200d\u200dAsha', "Please use letters, spaces and . ' - only"],
    ['As\u200dha', "Please use letters, spaces and . ' - only"],
    ['-Asha', "Please use letters, spaces and . ' - only"],

    ['A'.repeat(40), 'Name should be under 40 characters'],
  ])('%j is refused', (typed, message) => expect(judge(rules.personName(), typed)).toEqual(refused(message)));

  test.each([
    ['Asha Sweets 2', 'Asha Sweets 2'],
    ['  Asha   Sweets ', 'Asha Sweets'],
    ['Asha Sweets २', 'Asha Sweets 2'],
    ['Asha’s', refused('Please input alphanumeric characters only')],
    ['A'.repeat(51), refused('Store Name should be 50 characters at most')],
    ['', refused('Store Name can not be empty.')],
  ])('of stores: %j', (typed, expected) => expect(judge(rules.storeName(), typed)).toEqual(expected));
});

describe('codes', () => {
  test.each([
    ['123456', '123456'],
    ['123 456', '123456'],
    ['12345', refused('Please enter a valid code')],
    ['12345a', refused('Please enter a valid code')],
    ['', refused('Code can not be empty.')],
  ])('of an SMS: %j', (typed, expected) => expect(judge(rules.otp(), typed)).toEqual(expected));

  test.each([
    ['123 456', '123456'],
    ['abcd-2345-efgh', 'ABCD-2345-EFGH'],
    ['abcd', refused('Please enter a valid code')],
    ['ABCD-1890', refused('Please enter a valid code')],
  ])('of an authenticator: %j', (typed, expected) => expect(judge(rules.authenticatorCode(), typed)).toEqual(expected));
});

test('the terms are agreed to, and something is chosen', () => {
  expect(judge(rules.terms(), true)).toBe(true);
  expect(judge(rules.terms(), false)).toEqual(refused('Please agree to terms & conditions'));
  expect(judge(rules.choice(), 'x')).toBe('x');
  expect(judge(rules.choice('Choose a State'), '')).toEqual(refused('Choose a State'));
});

test('an optional text may be empty, and is judged where it is not', () => {
  const schema = rules.text('Landmark', [[(value) => value.length > 2, 'Too short']], { optional: true });
  expect(judge(schema, '  ')).toBe('');
  expect(judge(schema, 'ab')).toEqual(refused('Too short'));
  expect(judge(schema, ' near the well ')).toBe('near the well');
});

test('a GST number is right to its last character', () => {
  expect(isGstin('27AAPFU0939F1ZV')).toBe(true);
  expect(isGstin('27AAPFU0939F1ZW')).toBe(false);
  expect(isGstin('72AAPFU0939F1ZV')).toBe(false);
  expect(isGstin('27aapfu0939f1zv')).toBe(false);
  expect(isGstin('27AAPFU0939F1Z')).toBe(false);
});
