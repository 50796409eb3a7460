import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import ledger from '../../../pkg/plan/delivery.json';
import { plans } from './catalogue';
import { needWord } from './catalogue-words';
import { allParts, deliveryOf } from './delivery';

const names = plans.flatMap(({ features, services }) => [
  ...features.filter((name) => !name.startsWith('Everything in ')),
  ...services.flatMap(({ addOns }) => addOns.map(({ name }) => name)),
]);

it.each([...new Set(names)])('says who delivers %s', (name) => {
  expect(deliveryOf(name)).not.toBeNull();
});

it('lists the inherited features of a plan once, and no "Everything in"', () => {
  const parts = allParts(plans.at(-1)?.features ?? []);
  expect(parts).toEqual([...new Set(parts)]);
  expect(parts.filter((name) => name.startsWith('Everything in'))).toEqual([]);
  expect(parts).toEqual(expect.arrayContaining(plans[0]?.features ?? []));
  expect(parts).toContain('Own Android and iOS app');
});

it('knows no delivery of a feature that the operator has added', () => {
  expect(deliveryOf('Own aeroplane')).toBeNull();
});

it('has each need of the price book in this language', () => {
  const needs = Object.values(ledger.items).flatMap((item) => ('needs' in item ? [item.needs] : []));
  expect(needs.length).toBeGreaterThan(10);
  for (const need of needs) expect(needWord(need)).not.toBeNull();
});

it('says each name and need in the words of the messages by the server', () => {
  const wordsOf = (file: string) =>
    new Map(
      [...readFileSync(join(import.meta.dirname, file), 'utf8').matchAll(/^msgid "(.+)"\nmsgstr "(.+)"$/gm)].map(
        ([, english = '', hindi = '']) => [english, hindi],
      ),
    );
  const site = wordsOf('../locales/hi.po');
  const server = wordsOf('../../../pkg/platform/i18n/locales/hi.po');
  const needs = Object.values(ledger.items).flatMap((item) => ('needs' in item ? [item.needs] : []));
  for (const word of [...names, ...needs]) expect([word, site.get(word)]).toEqual([word, server.get(word)]);
});
