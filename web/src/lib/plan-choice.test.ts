import { expect, test, vi } from 'vitest';
import { forgetChoice, keepChoice, periodOf, planPath, planTypeOf, readChoice } from './plan-choice';

const KEY = 'franchise360-plan-choice';

test('the address of a plan names it, its period and what was chosen on it', () => {
  expect(planPath({ planId: 'p1', planName: ' Start  up ', planType: 'yearly' })).toBe('/plan/start-up/annual/p1');
  expect(
    planPath({ planId: 'p1', planName: 'R&D/50%', planType: 'monthly', serviceId: 's1', addOnIds: ['a1', 'a2'] }),
  ).toBe('/plan/r%26d%2F50%25/monthly/p1?service=s1&add_ons=a1%2Ca2');
});

test.each([
  ['annual', 'yearly'],
  ['Annually', 'yearly'],
  ['YEARLY', 'yearly'],
  ['monthly', 'monthly'],
  ['weekly', 'monthly'],
  [undefined, 'monthly'],
] as const)('the period %s of an address is %s', (period, type) => {
  expect(planTypeOf(period)).toBe(type);
});

test('a period and its plan type name each other', () => {
  expect(planTypeOf(periodOf('yearly'))).toBe('yearly');
  expect(planTypeOf(periodOf('monthly'))).toBe('monthly');
});

test('a choice is kept for this tab until it is forgotten', () => {
  const choice = { path: '/plan/start-up/annual/p1', label: 'Start up, annual' };
  expect(readChoice()).toBeNull();
  keepChoice(choice);
  expect(readChoice()).toEqual(choice);
  forgetChoice();
  expect(readChoice()).toBeNull();
});

test.each(['{', 'null', '"x"', '{"path":"/plan/x"}', '{"path":"https://elsewhere.example/plan/","label":"x"}'])(
  'what is not of our making is not followed: %s',
  (stored) => {
    sessionStorage.setItem(KEY, stored);
    expect(readChoice()).toBeNull();
  },
);

test('with storage blocked nothing is kept, and nothing breaks', () => {
  const blocked = () => {
    throw new DOMException('blocked', 'SecurityError');
  };
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(blocked);
  vi.spyOn(Storage.prototype, 'getItem').mockImplementation(blocked);
  vi.spyOn(Storage.prototype, 'removeItem').mockImplementation(blocked);
  keepChoice({ path: '/plan/x', label: 'x' });
  expect(readChoice()).toBeNull();
  forgetChoice();
  vi.restoreAllMocks();
});
