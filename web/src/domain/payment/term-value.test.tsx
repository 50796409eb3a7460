import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import type { components } from '@/lib/api/schema.gen';
import { startSession } from '@/lib/session/session';
import { franchiserUser } from '@/testing/factories';
import { nextBill } from '@/testing/payment-factories';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { answer } from '@/testing/server';
import { TermValue } from './term-value';

type Figure = components['schemas']['TermFigure'];

const figure = (change: Partial<Figure> & Pick<Figure, 'name' | 'value'>): Figure => ({
  amount: null,
  from: '2026-11-21',
  until: '2027-11-10',
  days: null,
  of: null,
  ...change,
});

const term = {
  starts_on: '2026-11-21',
  until: '2027-11-10',
  figures: [
    figure({ name: 'outlets_opened', value: 1250 }),
    figure({ name: 'requests_answered', value: 0 }),
    figure({ name: 'domain_days', value: 348, days: 354, from: '2026-11-22', of: 'asha.example' }),
    figure({
      name: 'sales_paise',
      value: 1_250_000_000,
      amount: '₹1,25,00,000',
      days: 252,
      from: '2027-03-03',
      until: '2027-11-09',
      of: 'ERP',
    }),
  ],
};

beforeEach(() => startSession(franchiserUser({ is_active: true })));

const show = () => renderRoutes([{ path: 'here', element: <TermValue /> }], { at: '/here' });

test('shows each known figure with its source before a renewal, also zero', async () => {
  answer('get', '/subscription/renewals', nextBill({ can_renew: true }));
  answer('get', '/subscription/term-value', term);
  const { container } = show();
  const section = await screen.findByRole('region', { name: 'Your term in figures' });
  expect(section).toHaveTextContent('21 Nov 2026 to 10 Nov 2027');
  const values = screen.getAllByRole('definition').map((one) => one.textContent);
  expect(values).toEqual([
    '1,250',
    '0',
    '348 of 354 daysasha.example, checked since 22 Nov 2026',
    '₹1,25,00,000As reported by ERP for 252 days, 3 Mar 2027 to 9 Nov 2027',
  ]);
  expect(screen.queryByText('Points given')).toBeNull();
  expect(await accessibilityFaults(container)).toEqual([]);
});

test('asks for no figures while the plan cannot be renewed', async () => {
  const bill = answer('get', '/subscription/renewals', nextBill());
  const { requests } = answer('get', '/subscription/term-value', term);
  show();
  await waitFor(() => expect(bill.requests).toHaveLength(1));
  await new Promise((resolve) => setTimeout(resolve));
  expect(requests).toHaveLength(0);
  expect(screen.queryByRole('region')).toBeNull();
});
