// @vitest-environment node

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { actorName, customerName, gatewayName, jobName } from './customer-words';

test.each([
  [{ erased: false, name: 'Asha Kulkarni', legal_name: 'Asha Sweets LLP' }, 'Asha Sweets LLP'],
  [{ erased: false, name: '', legal_name: '' }, '+91 98765 43210'],
  [{ erased: true, name: '', legal_name: '' }, 'Erased account'],
])('%o is called %s', (who, expected) => {
  expect(customerName({ store_name: '', mobile: '9876543210', ...who })).toBe(expected);
});

test.each([
  ['payu', 'PayU'],
  ['razorpay', 'Razorpay'],
  ['cashfree', 'Cashfree'],
  ['bank', 'bank'],
])('shows the gateway %s as %s', (gateway, name) => {
  expect(gatewayName(gateway)).toBe(name);
});

test('every kind of job has a name of its own', () => {
  const packages = join(import.meta.dirname, '../../../../../pkg');
  const kinds = readdirSync(packages, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.go') && !file.endsWith('_test.go'))
    .flatMap((file) =>
      [...readFileSync(join(packages, file), 'utf8').matchAll(/\) Kind\(\) string *\{ return "(\w+)" \}/g)].map(
        ([, kind = '']) => kind,
      ),
    );
  expect(kinds.length).toBeGreaterThan(15);
  expect(kinds.filter((kind) => jobName(kind) === kind.replaceAll('_', ' '))).toEqual([]);
});

test('an outlet’s partner is named as what they are', () => {
  expect(actorName('partner')).toBe('Outlet partner');
});
