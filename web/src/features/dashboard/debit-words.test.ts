// @vitest-environment node

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { debitWords } from './debit-words';

test('every cause of a failed debit has its words for readers of other languages', () => {
  const rail = readFileSync(fileURLToPath(new URL('../../../../pkg/mandate/rail.go', import.meta.url)), 'utf8');
  const said = [...rail.matchAll(/remedy\{\w+, i18n\.Mark\("([^"]+)"\), i18n\.Mark\("([^"]+)"\)\}/g)].flatMap(
    ([, why = '', advice = '']) => [why, advice],
  );
  expect(said.length).toBeGreaterThan(10);
  expect(said.filter((words) => !(words in debitWords()))).toEqual([]);
});
