// @vitest-environment node

import { describe, expect, test } from 'vitest';
import { orderRow, paymentRow } from '@/testing/payment-factories';
import { ids } from '@/testing/subscription-factories';
import { chargeOf, methodName, statusOf, unpaidText } from './words';

describe('the status of a payment', () => {
  test.each([
    ['paid', {}, 'Paid', 'success'],
    ['given up', { state: 'failed', cancelled: true, payment_status: 0 }, 'Cancelled', 'info'],
    ['failed', { state: 'failed', payment_status: 0 }, 'Failed', 'danger'],
    ['with the gateway', { state: 'pending', payment_status: 0 }, 'Being confirmed', 'info'],
    ['held', { state: 'held', payment_status: 0 }, 'Under review', 'warning'],
    ['on its way back', { refund_state: 'on_its_way', refunding: '₹500' }, 'Refund of ₹500 on its way', 'info'],
    ['back in full', { refund_state: 'fully', refunded: '₹1,59,300' }, 'Refunded', 'info'],
    [
      'back in part',
      { refund_state: 'partly', refunded: '₹500', payable_total: '₹1,000' },
      'Paid · ₹500 of ₹1,000 refunded',
      'info',
    ],
    ['disputed', { refund_state: 'disputed' }, 'Paid · Disputed with your bank', 'warning'],
    [
      'lost to the bank',
      { refund_state: 'charged_back', refunded: '₹1,000', payable_total: '₹1,000' },
      'Taken back by your bank',
      'warning',
    ],
    [
      'owed, of what was bought',
      { refund_state: 'looked_at', owed: '₹500' },
      'Paid · ₹500 could not be refunded yet; our team is working on it',
      'warning',
    ],
    [
      'owed, of what bought nothing',
      { refund_state: 'looked_at', owed: '₹500', invoice_id: null },
      '₹500 could not be refunded yet; our team is working on it',
      'warning',
    ],
    ['overdue', { payment_status: 2 }, 'Overdue', 'danger'],
    ['of a trial', { payment_status: 4 }, 'Free trial', 'info'],
  ] as const)('%s', (_, change, label, tone) => {
    expect(statusOf(paymentRow(change as Parameters<typeof paymentRow>[0]))).toMatchObject({ label, tone });
  });
});

describe('what became of the payment of an order that is not paid', () => {
  const inactive = { subscription_status_value: 'Inactive', captured: null } as const;

  test('includes the gateway’s reason', () => {
    expect(unpaidText(orderRow({ ...inactive, payment_state: 'failed', reason: 'Not enough money.' }))).toBe(
      'Payment failed. Not enough money.',
    );
  });
  test('needs no reason where the customer gave it up', () => {
    const row = orderRow({ ...inactive, payment_state: 'failed', cancelled: true, reason: 'Cancelled by user' });
    expect(unpaidText(row)).toBe('Payment cancelled.');
  });
  test('says that money was refunded', () => {
    const row = orderRow({ ...inactive, payment_state: 'failed', captured: '₹100', refund_state: 'fully' });
    expect(unpaidText(row)).toBe('Money refunded.');
  });
  test.each([
    ['a plan that runs', { subscription_status_value: 'Active', payment_state: 'failed' }],
    ['an order without a payment', { ...inactive, payment_state: null }],
    ['a payment under way', { ...inactive, payment_state: 'confirming' }],
  ] as const)('is nothing for %s', (_, change) => {
    expect(unpaidText(orderRow(change as Parameters<typeof orderRow>[0]))).toBe('');
  });
});

describe('paying an order from the list', () => {
  test('a plan order is paid with its original selection', () => {
    expect(chargeOf(orderRow({ add_ons_service_id: [ids.addOn] }))).toEqual({
      of: 'plan',
      selection: { plan_type: 'yearly', plan_services_id: ids.service, add_ons_service_id: [ids.addOn] },
    });
  });
  test('add-ons and a renewal belong to their subscription', () => {
    expect(chargeOf(orderRow({ kind: 'add_on', add_ons_service_id: [ids.addOn] }))).toEqual({
      of: 'add-ons',
      selection: { subscription_id: ids.subscription, add_ons_service_id: [ids.addOn] },
    });
    expect(chargeOf(orderRow({ kind: 'renewal' }))).toEqual({
      of: 'renewal',
      selection: { subscription_id: ids.subscription },
    });
  });
  test.each([
    ['a trial', { kind: 'trial' }],
    ['a change to a smaller plan', { kind: 'downgrade' }],
    ['add-ons of no subscription', { kind: 'add_on', subscription_id: null }],
    ['a renewal of no subscription', { kind: 'renewal', subscription_id: null }],
  ] as const)('%s cannot be paid', (_, change) => {
    expect(chargeOf(orderRow(change as Parameters<typeof orderRow>[0]))).toBeNull();
  });
});

test('a way of paying that nobody knows keeps the gateway’s name for it', () => {
  expect(methodName('netbanking')).toBe('Net banking');
  expect(methodName('emi')).toBe('emi');
});
