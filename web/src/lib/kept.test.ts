import { getDefaultStore } from 'jotai';
import { afterEach, expect, test, vi } from 'vitest';
import { forgetPayment, pendingPaymentAtom } from '@/domain/payment/pending-payment';
import { forgetDraft, readDraft } from '@/ui/form/draft';
import { keepPaymentMethod, readPaymentMethod } from './payment-method';
import { applyTheme, readTheme, resolveTheme, THEME_KEY } from './theme';
import { readViewing } from './viewing';

const store = getDefaultStore();
const payment = {
  charge: {
    of: 'plan' as const,
    selection: { plan_services_id: 's1', plan_type: 'yearly' as const, add_ons_service_id: [] },
  },
  extras: { expected_total: 1_59_300_00 },
  key: 'k1',
  amount: '₹1,59,300',
  transactionId: 'FP1',
  back: '/pricing',
};

afterEach(() => {
  vi.restoreAllMocks();
  store.set(pendingPaymentAtom, null);
  document.documentElement.removeAttribute('data-bs-theme');
});

/** Storage that is blocked: every call throws. */
function blockStorage() {
  for (const call of ['getItem', 'setItem', 'removeItem'] as const)
    vi.spyOn(Storage.prototype, call).mockImplementation(() => {
      throw new DOMException('', 'SecurityError');
    });
}

test.each(['', 'DARK', '"dark"', 'null', '<script>'])('%j is no theme that anybody chose', (stored) => {
  localStorage.setItem(THEME_KEY, stored);
  expect(readTheme()).toBe('system');
});

test('a theme is shown and kept, and the system’s own is resolved', () => {
  applyTheme('dark');
  expect(document.documentElement).toHaveAttribute('data-bs-theme', 'dark');
  expect(readTheme()).toBe('dark');
  vi.spyOn(window, 'matchMedia').mockReturnValue({ matches: true } as MediaQueryList);
  expect(resolveTheme('system')).toBe('dark');
  expect(resolveTheme('light')).toBe('light');
});

test.each(['', 'cash', 'CARD', '{"method":"upi"}'])('%j is no method that anybody prefers', (stored) => {
  localStorage.setItem('franchise360-payment-method', stored);
  expect(readPaymentMethod()).toBeNull();
});

test('of a method nothing but its name is kept', () => {
  keepPaymentMethod('upi');
  expect(readPaymentMethod()).toBe('upi');
  expect({ ...localStorage }).toEqual({ 'franchise360-payment-method': 'upi' });
});

test('with storage blocked, nothing is kept and nothing breaks', () => {
  blockStorage();
  applyTheme('dark');
  expect(document.documentElement).toHaveAttribute('data-bs-theme', 'dark');
  expect(readTheme()).toBe('system');
  keepPaymentMethod('card');
  expect(readPaymentMethod()).toBeNull();
  expect(readDraft('address')).toEqual({});
  forgetDraft('address');
  store.set(pendingPaymentAtom, payment);
  expect(store.get(pendingPaymentAtom)).toEqual(payment);
});

test.each(['', 'null', '7', '"text"', '{', '[1'])('%j is no draft', (stored) => {
  sessionStorage.setItem('franchise360-draft-address', stored);
  expect(Object.keys(readDraft('address'))).toEqual([]);
});

test('a draft is its form’s alone, until it is forgotten', () => {
  sessionStorage.setItem('franchise360-draft-address', '{"street":"MG Road"}');
  expect(readDraft('address')).toEqual({ street: 'MG Road' });
  expect(readDraft('store')).toEqual({});
  forgetDraft('store');
  expect(readDraft('address')).toEqual({ street: 'MG Road' });
  forgetDraft('address');
  expect(readDraft('address')).toEqual({});
});

test('a payment under way is kept for this tab, and forgotten by its own end only', () => {
  store.set(pendingPaymentAtom, payment);
  expect(JSON.parse(sessionStorage.getItem('franchise360-pending-payment') ?? '')).toEqual(payment);
  expect(localStorage).toHaveLength(0);
  forgetPayment('FP2');
  expect(store.get(pendingPaymentAtom)?.transactionId).toBe('FP1');
  forgetPayment('FP1');
  expect(store.get(pendingPaymentAtom)).toBeNull();
  expect(sessionStorage).toHaveLength(0);
});

test.each([
  ['F360-VIEWING=v1.c1.1795000000', { id: 'v1', customerId: 'c1', endsAt: 1_795_000_000_000 }],
  ['__Host-F360-VIEWING=v1.c1.1795000000', { id: 'v1', customerId: 'c1', endsAt: 1_795_000_000_000 }],
  ['XSRF-TOKEN=x; F360-VIEWING=v1.c1.5; other=F360-VIEWING=no', { id: 'v1', customerId: 'c1', endsAt: 5000 }],
  ['', undefined],
  ['F360-VIEWING=', undefined],
  ['F360-VIEWING=v1', undefined],
  ['F360-VIEWING=v1.c1.soon', undefined],
  ['F360-VIEWING=v1.c1.-5', undefined],
  ['F360-VIEWING=.c1.5', undefined],
  ['NOT-F360-VIEWING=v1.c1.5', undefined],
])('of the cookies %j the view that is open is %j', (cookies, view) => {
  vi.spyOn(document, 'cookie', 'get').mockReturnValue(cookies);
  expect(readViewing()).toEqual(view);
});
