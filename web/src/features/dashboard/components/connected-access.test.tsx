import { screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { setup, signIn } from './dashboard.fixture';

beforeEach(signIn);

test.each(['/dashboard', '/subscription_store'])(
  'Access Franchise Dashboard on %s leads to the connected system where there is one',
  async (at) => {
    setup({ connected: { label: 'ERP', url: 'https://erp.example.in/login?iss=x' }, at });
    const link = await screen.findByRole('link', { name: /^Access Franchise Dashboard/ });
    expect(link).toHaveAttribute('href', 'https://erp.example.in/login?iss=x');
  },
);

test.each([
  ['active', 1],
  ['expired', 0],
] as const)('the store page of a plan in the state %s counts the franchises %i times', async (state, times) => {
  setup({ sub: { state }, at: '/subscription_store' });
  expect(await screen.findByRole('link', { name: /^Access Franchise Dashboard/ })).toBeVisible();
  expect(screen.queryAllByText(/franchises used/)).toHaveLength(times);
});
