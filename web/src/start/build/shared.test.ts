// @vitest-environment node

import { expect, test, vi } from 'vitest';
import { Shared } from '../../../vite/shared';

test('builds share the result of work done once', async () => {
  const shared = new Shared(true);
  const work = vi.fn(() => Promise.resolve('rules'));
  expect(await Promise.all([shared.once('a.scss', work), shared.once('a.scss', work)])).toEqual(['rules', 'rules']);
  expect(work).toHaveBeenCalledTimes(1);
  await shared.once('b.scss', work);
  expect(work).toHaveBeenCalledTimes(2);
});

test('a server does everything anew, because its sources change', async () => {
  const shared = new Shared(false);
  const work = vi.fn(() => Promise.resolve('rules'));
  await shared.once('a.scss', work);
  await shared.once('a.scss', work);
  expect(work).toHaveBeenCalledTimes(2);
});
