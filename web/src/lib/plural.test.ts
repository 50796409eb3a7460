import { expect, test } from 'vitest';
import { pluralOf } from './plural';

const articles = (shown: string) => ({ one: `${shown} article`, other: `${shown} articles` });

test('a number takes the form that its language has for it, and Indian grouping', () => {
  expect([0, 1, 2].map((count) => pluralOf(count, articles))).toEqual(['0 articles', '1 article', '2 articles']);
  expect(pluralOf(123456, articles)).toBe('1,23,456 articles');
  expect(pluralOf(1, (shown) => ({ other: `${shown} hits` }))).toBe('1 hits');
});
