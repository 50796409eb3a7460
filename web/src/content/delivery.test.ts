import { expect, it } from 'vitest';
import { plans } from './catalogue';
import { deliveryOf } from './delivery';

const names = plans.flatMap(({ features, services }) => [
  ...features,
  ...services.flatMap(({ addOns }) => addOns.map(({ name }) => name)),
]);

it.each([...new Set(names)])('says where %s works', (name) => {
  expect(deliveryOf(name)).not.toBeNull();
});
