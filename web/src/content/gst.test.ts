// @vitest-environment node

import { expect, test } from 'vitest';
import { dayInIndia } from '@/lib/today';
import { gstPercent, percentOn } from './gst';

const rates = [
  { from: '2017-07-01', rate_bps: 1800 },
  { from: '2026-12-01', rate_bps: 1250 },
];

test('a rate is in force from midnight in India', () => {
  expect(percentOn(rates, dayInIndia(new Date('2026-11-30T18:29:59Z')))).toBe(18);
  expect(percentOn(rates, dayInIndia(new Date('2026-11-30T18:30:00Z')))).toBe(12.5);
  expect(percentOn(rates, '2016-01-01')).toBe(18);
});

test('the price book has a rate for today', () => {
  expect(gstPercent).toBeGreaterThan(0);
});
