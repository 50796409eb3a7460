// @vitest-environment node

import { expect, test } from 'vitest';
import { ApiError } from '@/lib/api/errors';
import { moneyBackText, wayBack } from './money-back';
import { isRefusal } from './refusal';
import { viewOf, type PaymentFacts } from './words';

const facts: PaymentFacts = { state: 'paid', cancelled: false, captured: '₹100', refund_state: 'none' };

test.each([
  ['paid', {}, 'paid'],
  ['paid and back in full', { refund_state: 'fully' }, 'refunded'],
  ['taken back by the bank', { refund_state: 'charged_back' }, 'refunded'],
  ['paid and back in part', { refund_state: 'partly' }, 'paid'],
  ['failed, with nothing captured', { state: 'failed', captured: null }, 'failed'],
  ['given up', { state: 'failed', captured: null, cancelled: true }, 'cancelled'],
  ['failed, though money came', { state: 'failed' }, 'returned'],
  ['given up, though money came', { state: 'failed', cancelled: true }, 'returned'],
  ['failed, and the refund too', { state: 'failed', refund_state: 'looked_at' }, 'owed'],
  ['under way', { state: 'confirming', captured: null }, 'confirming'],
] as const)('a payment that is %s shows as %s', (_, change, view) => {
  expect(viewOf({ ...facts, ...change })).toBe(view);
});

test('a refund text includes the total of the payment only if the caller passes it', () => {
  const part = { refunded: '₹40', refunding: '₹0', owed: '₹0', refund_state: 'partly' } as const;
  expect(moneyBackText(part)).toBe('₹40 refunded');
  expect(moneyBackText(part, '₹100')).toBe('₹40 of ₹100 refunded');
  expect(moneyBackText({ ...part, refund_state: 'charged_back' }, '₹100')).toBe('₹40 of ₹100 taken back by your bank');
  expect(moneyBackText({ ...part, refund_state: 'none' }, '₹100')).toBe('');
});

test('a refund text names the channel if it is known', () => {
  expect(wayBack('bank')).toBe(' by bank transfer');
  expect(wayBack(null)).toBe('');
});

test.each([
  [409, 'plan_retired', true],
  [402, 'plan_required', true],
  [422, 'add_on_owned', true],
  [409, 'price_changed', false],
  [409, 'request_running', false],
  [503, 'unavailable', false],
  [0, '', false],
])('%i %s is asked for no second time: %s', (status, code, refusal) => {
  expect(isRefusal(new ApiError({ status, code }))).toBe(refusal);
});
