// @vitest-environment node

import { describe, expect, test } from 'vitest';
import type { Holding } from '../api/help';
import { actName, paiseOf, problemsOf, requestOf, type MoneyForm } from './money-form';
import { reversal } from './money-desk.fixture';
import { askedFor, customerOf, question, requestState, underWay, usualReasons } from '../customers/request-words';

const left = 1_59_300_00;
const form: MoneyForm = {
  kind: 'refund',
  amount: '1,500',
  confirmed: false,
  keep: 'no',
  bank_reference: '',
  printed_reason: '',
};

describe('an amount as typed', () => {
  test.each([
    ['1500', 150000],
    ['₹1,59,300', left],
    ['1500.5', 150050],
    ['1500.50', 150050],
    ['0.01', 1],
    [' 1 500 ', 150000],
  ])('%j is %i paise', (typed, paise) => expect(paiseOf(typed)).toBe(paise));
  test.each(['', '-5', '1.505', '1.', '.5', '1e3', 'ten', '1234567890'])('%j is none', (typed) =>
    expect(paiseOf(typed)).toBeUndefined(),
  );
});

const wrongUtr =
  'A UTR has 16 characters for NEFT, 22 for RTGS, and 12 digits for IMPS and UPI. A transfer within one bank has a number of 6 to 35 letters and digits.';

describe('what is wrong with a refund', () => {
  test('is nothing', () => expect(problemsOf(form, left)).toEqual({}));
  test.each([
    ['amount', { amount: ' ' }, 'Write how much goes back.'],
    ['amount', { amount: 'all' }, 'Write the amount in rupees, such as 1,500 or 1500.50.'],
    ['amount', { amount: '0' }, 'The amount is above zero.'],
    ['amount', { amount: '1,59,300.01' }, 'At most ₹1,59,300 is left of this payment.'],
    ['confirmed', { amount: '159300' }, 'Tick this if all of it goes back; otherwise change the amount.'],
    ['bank_reference', { kind: 'credit_note', bank_reference: '//----' }, wrongUtr],
    ['bank_reference', { kind: 'credit_note', bank_reference: '______' }, wrongUtr],
    ['bank_reference', { kind: 'credit_note', bank_reference: '12' }, wrongUtr],
    ['printed_reason', { printed_reason: 'no' }, 'Write 3 characters or more, or leave it empty.'],
  ] as const)('is told at its %s', (field, change, message) => {
    expect(problemsOf({ ...form, ...change }, left)).toEqual({ [field]: message });
  });
  test('is nothing for a confirmed full refund', () => {
    expect(problemsOf({ ...form, amount: '159300', confirmed: true }, left)).toEqual({});
  });
});

describe('the button', () => {
  const plan = { what: 'plan', until: '2027-11-21' } as Holding;
  test.each([
    ['Give ₹1,500 back', form, plan],
    ['Give money back', { ...form, amount: '' }, plan],
    ['Book money that is back', { ...form, kind: 'credit_note', amount: 'x' }, plan],
    ['Book ₹1,500 as paid back', { ...form, kind: 'credit_note' }, plan],
    ['Give ₹1,59,300 back and end the plan', { ...form, amount: '159300' }, plan],
    ['Give ₹1,59,300 back and keep the plan', { ...form, amount: '159300', keep: 'yes' }, plan],
    ['Give ₹1,59,300 back and end the add-ons', { ...form, amount: '159300' }, { ...plan, what: 'add_ons' }],
    ['Give ₹1,59,300 back', { ...form, amount: '159300' }, null],
  ] as const)('says “%s”', (name, filled, holding) => {
    expect(actName(filled as MoneyForm, left, holding as Holding | null)).toBe(name);
  });
});

test('a request contains the entered fields and omits the empty fields', () => {
  expect(requestOf(form, false)).toEqual({ kind: 'refund', amount: 150000, keep_plan: false });
  expect(
    requestOf({ ...form, kind: 'credit_note', bank_reference: ' HDFC42 ', printed_reason: ' Sorry ' }, true),
  ).toMatchObject({
    kind: 'credit_note',
    bank_reference: 'HDFC42',
    printed_reason: 'Sorry',
    keep_plan: true,
  });
});

describe('a request, in words', () => {
  const kinds = ['refund', 'release', 'credit_note', 'bank_transfer', 'chargeback'] as const;
  test.each(kinds)('of the kind %s: to approve it is another question than to decline it', (kind) => {
    const [approve, effect] = question({ ...reversal, kind }, 'approve');
    const [decline, otherEffect] = question({ ...reversal, kind }, 'decline');
    expect(approve).toContain('₹60,000');
    expect(approve).toContain('Asha Sweets LLP');
    expect(decline).not.toBe(approve);
    expect(otherEffect).not.toBe(effect);
    expect(otherEffect).toMatch(/^Nothing is/);
  });
  test('who books a transfer checks the statement by its UTR', () => {
    expect(question({ ...reversal, kind: 'bank_transfer', bank_reference: 'HDFC42' }, 'approve')[1]).toContain(
      'UTR HDFC42',
    );
    expect(usualReasons({ ...reversal, bank_reference: 'HDFC42' }, 'decline')).toContain('Not on the bank’s statement');
  });
  test('what only books is never said to be on its way', () => {
    for (const kind of ['credit_note', 'bank_transfer', 'chargeback'] as const) {
      expect(requestState(kind, 'approved')).toBe('Approved, being booked');
      expect(requestState(kind, 'done')).toBe('Booked');
      expect(underWay(kind, '₹5')).toContain('being booked');
      expect(askedFor(kind, '₹5')).toContain('booked');
    }
    expect(requestState('refund', 'approved')).toBe('Approved, on its way');
    expect(underWay('refund', '₹5')).toBe('₹5 is on its way back.');
  });
  test('a customer without a name is called by the number', () => {
    expect(customerOf({ ...reversal, customer_name: '' })).toBe('+91 98765 43210');
  });
});
