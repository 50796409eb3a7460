import { expect, it } from 'vitest';
import { patternsOf } from './route-list';
import { siteRoutes } from './router';
import { supportRoutes } from './routes/support';

it('lists addresses through frames, indexes and parameters', () => {
  const list = patternsOf([
    { children: [{ path: 'a', children: [{ index: true }, { path: ':id' }] }, { index: true }] },
    { path: '*' },
  ]);
  expect(list).toEqual(['/a', '/a/:id', '/']);
});

it('knows the addresses of the onboarding', () => {
  expect(patternsOf(siteRoutes(supportRoutes))).toEqual(
    expect.arrayContaining([
      '/login',
      '/sign-up',
      '/start-free-trial',
      '/otp',
      '/forgot-password',
      '/forgot-password-otp',
      '/reset-password',
      '/payment',
      '/store-details',
      '/store-details/address',
      '/store-details/my-store',
    ]),
  );
});
