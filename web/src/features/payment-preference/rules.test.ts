// @vitest-environment node

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { cardSchema, formatExpiry, isExpiryAhead, netbankingSchema, upiSchema } from './rules';

beforeEach(() => void vi.useFakeTimers({ now: new Date(2026, 10, 21) }));
afterEach(() => void vi.useRealTimers());

/** The validation messages by field. */
function faults(result: { success: boolean; error?: { issues: { path: PropertyKey[]; message: string }[] } }) {
  return Object.fromEntries((result.error?.issues ?? []).map(({ path, message }) => [path.join('.'), message]));
}

describe('a card', () => {
  const card = { cardno: '4111 1111-1111 1111', expirydate: '11/26', cvv: '123', cardname: ' Asha  Kulkarni ' };

  test('is taken as it is printed', () => {
    expect(cardSchema.parse(card)).toEqual({ ...card, cardno: '4111111111111111', cardname: 'Asha Kulkarni' });
  });

  test.each([
    ['cardno', '4111', 'Please enter a valid card number of 16 digits'],
    ['cardno', '', 'Card number can not be empty.'],
    ['cvv', '12', 'Please enter a valid CVV of 3 digits'],
    ['cvv', '12a', 'Please enter a valid CVV of 3 digits'],
    ['expirydate', '10/26', 'Invalid expiry date'],
    ['expirydate', '13/28', 'Invalid expiry date'],
    ['cardname', 'Asha2', 'Please enter letters only'],
    ['cardname', 'A', 'Please use at least 2 characters'],
    ['cardname', 'A B C D', 'Name on card should be one to three words'],
    ['cardname', 'A'.repeat(31), 'Name on card should be 30 characters at most'],
  ])('is refused for its %s %j', (field, typed, message) => {
    expect(faults(cardSchema.safeParse({ ...card, [field]: typed }))).toEqual({ [field]: message });
  });

  test('is good to the last day of its month', () => {
    expect(isExpiryAhead('11/26', new Date(2026, 10, 30, 23, 59))).toBe(true);
    expect(isExpiryAhead('11/26', new Date(2026, 11, 1))).toBe(false);
    expect(isExpiryAhead('00/30', new Date(2026, 10, 1))).toBe(false);
    expect(isExpiryAhead('1/30', new Date(2026, 10, 1))).toBe(false);
  });

  test.each([
    ['1', '1'],
    ['5', '05/'],
    ['12', '12'],
    ['12/', '12/'],
    ['122', '12/2'],
    ['1227', '12/27'],
    ['12/2789', '12/27'],
    ['ab', ''],
  ])('has its expiry written while it is typed: %j → %j', (typed, shown) => expect(formatExpiry(typed)).toBe(shown));
});

describe('a UPI id', () => {
  test.each(['asha@okbank', 'asha.k-1@ybl', 'asha@example.in'])('%s is taken', (typed) =>
    expect(upiSchema.parse({ upiID: ` ${typed} ` })).toEqual({ upiID: typed }),
  );
  test.each(['asha', '@okbank', 'a@okbank', 'asha@', 'as ha@okbank'])('%s is refused', (typed) =>
    expect(faults(upiSchema.safeParse({ upiID: typed }))).toEqual({ upiID: 'Please enter your valid UPI ID' }),
  );
});

describe('a bank account', () => {
  const account = { accno: '1234567890123456', cnfaccno: '1234 5678 9012 3456', ifsc: 'HDFC0001234', accname: 'Asha' };

  test('is taken when both numbers say the same', () => {
    expect(netbankingSchema.parse(account).cnfaccno).toBe(account.accno);
  });
  test('is refused when they differ', () => {
    expect(faults(netbankingSchema.safeParse({ ...account, cnfaccno: '1234567890123457' }))).toEqual({
      cnfaccno: 'Bank Account number and this should be the same',
    });
  });
  test.each(['HDFC1001234', 'hdfc0001234', 'HDFC000123'])('is refused for the IFSC code %s', (ifsc) =>
    expect(faults(netbankingSchema.safeParse({ ...account, ifsc }))).toEqual({
      ifsc: 'Please enter valid IFSC code',
    }),
  );
});
