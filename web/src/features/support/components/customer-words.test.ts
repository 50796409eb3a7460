// @vitest-environment node

import { expect, test } from 'vitest';
import { customerName } from './customer-words';

test.each([
  [{ erased: false, name: 'Asha Kulkarni', legal_name: 'Asha Sweets LLP' }, 'Asha Sweets LLP'],
  [{ erased: false, name: '', legal_name: '' }, '+91 98765 43210'],
  [{ erased: true, name: '', legal_name: '' }, 'Erased account'],
])('%o is called %s', (who, expected) => {
  expect(customerName({ store_name: '', mobile: '9876543210', ...who })).toBe(expected);
});
