import { afterEach, beforeEach, expect, it, vi } from 'vitest';

const root = document.documentElement;
const handleHydrated = vi.fn();

async function setup() {
  vi.resetModules();
  return import('./hydration');
}

beforeEach(() => document.addEventListener('hydrated', handleHydrated));
afterEach(() => {
  document.removeEventListener('hydrated', handleHydrated);
  handleHydrated.mockClear();
  root.removeAttribute('data-hydrated');
});

it('marks the page once, when its frame works and no part is waited for', async () => {
  const { pageTakenOver, waitForPart } = await setup();
  const prices = waitForPart();
  const rest = waitForPart();
  pageTakenOver();
  prices();
  prices();
  expect(root.hasAttribute('data-hydrated')).toBe(false);
  rest();
  expect(root.hasAttribute('data-hydrated')).toBe(true);
  waitForPart()();
  expect(handleHydrated).toHaveBeenCalledTimes(1);
});

it('does not mark a page whose frame is not there', async () => {
  const { waitForPart } = await setup();
  waitForPart()();
  expect(root.hasAttribute('data-hydrated')).toBe(false);
});
