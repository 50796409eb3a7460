import { expect, test } from 'vitest';
import { count } from '../shared/count';
import { filterOf, span } from './jobs-filter';

const now = Date.parse('2026-11-21T05:30:40Z');

test('a part of the chart that is marked counts, whatever span is chosen beside it', () => {
  const params = new URLSearchParams({ since: '24h', from: '2026-11-20T00:00:00Z', to: '2026-11-20T01:00:00Z' });
  expect(filterOf(params, now)).toEqual({ from: '2026-11-20T00:00:00Z', to: '2026-11-20T01:00:00Z' });
});

test('two moments of one minute make the same filter, so that nothing is loaded again', () => {
  const params = new URLSearchParams({ since: '7d' });
  expect(filterOf(params, now)).toEqual({ from: '2026-11-14T05:30:00Z' });
  expect(filterOf(params, now + 19_000)).toEqual(filterOf(params, now));
});

test('a text longer than the server takes is cut', () => {
  expect(filterOf(new URLSearchParams({ error: 'x'.repeat(200) }), now).search).toHaveLength(100);
});

test.each([
  [0, '0 s'],
  [60, '1 min'],
  [119, '119 s'],
  [120, '2 min'],
  [3600, '1 h'],
  [7199, '120 min'],
  [172_799, '48 h'],
  [172_800, '2 d'],
])('%i seconds are %s', (seconds, words) => {
  expect(span(seconds)).toBe(words);
});

test('numbers of things are grouped as in India', () => {
  expect([count(1, 'job'), count(0, 'job'), count(1_23_456, 'job')]).toEqual(['1 job', '0 jobs', '1,23,456 jobs']);
});
