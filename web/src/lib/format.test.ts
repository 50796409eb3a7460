// @vitest-environment node

import { expect, test } from 'vitest';
import { formatDate, formatDay, formatInstant, formatLastDay } from './format';

test('a calendar date is read out, a dash stays', () => {
  expect(formatDate('2027-11-21')).toBe('21 Nov 2027');
  expect(formatDate('2028-02-29')).toBe('29 Feb 2028');
  expect(formatDate('-')).toBe('-');
});

test('an instant is shown as the day and time in India', () => {
  expect(formatDay('2026-11-21T18:29:59Z')).toBe('21 Nov 2026');
  expect(formatDay('2026-11-21T18:30:00Z')).toBe('22 Nov 2026');
  expect(formatInstant('2026-12-31T19:05:00Z')).toBe('1 Jan 2027, 00:35 IST');
  expect(formatInstant('soon')).toBe('soon');
});

test('a term ends on the day before it renews', () => {
  expect(formatLastDay('2026-12-02')).toBe('1 Dec 2026');
  expect(formatLastDay('2027-03-01')).toBe('28 Feb 2027');
  expect(formatLastDay('soon')).toBe('soon');
});
