// @vitest-environment node

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { debitWords } from './debit-words';

const source = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../../../../pkg/mandate/${name}`, import.meta.url)), 'utf8');

test('every server message about a set-up or a cancelled debit is in the word list', () => {
  const said = [
    ...source('view.go').matchAll(/(?:return|rejected =|lateWord =|settledOtherwise =) "([A-Z][^"]+)"/g),
  ].map(([, words = '']) => words);
  expect(said).toContain('The payment was not completed.');
  expect(said.length).toBeGreaterThan(4);
  expect(said.filter((words) => !(words in debitWords()))).toEqual([]);
});

test('every cause of a failed debit has its words for readers of other languages', () => {
  const rail = source('rail.go');
  expect(debitWords()).toHaveProperty([/return i18n\.Mark\("(Please [^"]+)"/.exec(rail)?.[1] ?? 'no advice']);
  const said = [...rail.matchAll(/remedy\{\w+, i18n\.Mark\("([^"]+)"\), i18n\.Mark\("([^"]+)"\)\}/g)].flatMap(
    ([, why = '', advice = '']) => [why, advice],
  );
  expect(said.length).toBeGreaterThan(10);
  expect(said.filter((words) => !(words in debitWords()))).toEqual([]);
});
