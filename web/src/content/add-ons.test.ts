import { expect, test } from 'vitest';
import { aboutAddOn, aboutFeature } from './add-ons';
import book from '../../../pkg/plan/catalogue.json';

const tiers = book.plans.flatMap((plan) => plan.services);

test('every add-on of the catalogue says what it is', () => {
  const names = new Set(tiers.flatMap((tier) => tier.add_ons.map(({ name }) => name)));
  expect(names.size).toBeGreaterThan(3);
  for (const name of names) expect(aboutAddOn(name), name).not.toBe('');
});

test('the app in every plan and the app for customers are told apart', () => {
  expect(aboutFeature('Own Android and iOS app')).toMatch(/the one for your customers is an add-on/);
  expect(aboutAddOn('Users app (Android and iOS)')).toMatch(/The app in every plan is for your franchises/);
});
