import { expect, it } from 'vitest';
import { plans } from './catalogue';
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
