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
