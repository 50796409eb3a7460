// @vitest-environment node

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { ruleName } from './alerts-tables';

const source = readFileSync(fileURLToPath(new URL('../../../../../pkg/alert/rules.go', import.meta.url)), 'utf8');
const rules = [...source.matchAll(/^\t\t\{"(\w+)", "/gm)].map(([, name]) => name ?? '');

test('every rule that raises alerts has a name for people', () => {
  expect(rules.length).toBeGreaterThan(15);
  expect(rules.filter((rule) => ruleName(rule) === rule)).toEqual([]);
});
