import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { mock, ok, page, server } from '@/testing/server';
import type { ListedCustomer } from '../api/customers';
import { CustomersPage } from './customers-page';

const asha: ListedCustomer = {
  id: 'c1',
  name: 'Asha Sweets LLP',
  person: 'Asha Rao',
  mobile: '9876543210',
  created_at: '2026-11-21T05:30:00Z',
  state: 'grace',
  plan: 'Growth',
  plan_type: 'yearly',
  renew_on: '2026-11-28',
  last_payment: { transaction_id: 'FP1', state: 'failed', amount: '₹14,750', at: '2026-11-21T05:30:00Z' },
};
const visitor: ListedCustomer = {
  ...asha,
  id: 'c2',
  name: '',
  person: '',
  mobile: '9876543211',
  state: 'no plan',
  plan: '',
  plan_type: '',
  renew_on: null,
  last_payment: null,
};

function open(at: string, rows: ListedCustomer[]) {
  const asked: string[] = [];
  server.use(
    mock.get('/subscription-plan/list', () => ok({ subscription_plan: [{ id: 'p', plan_name: 'Growth' }] })),
    mock.get('/api/support/customers', ({ request }) => {
      asked.push(new URL(request.url).search);
      return page(rows, {
        last_page: 2,
        next_page_url: '/api/support/customers?page=2&after=2026-11-28.c2',
        per_page: 20,
        total: rows.length && 40,
      });
    }),
  );
  return { asked, ...renderRoutes([{ path: 'support/customers', element: <CustomersPage /> }], { at }) };
}

test('lists customers with their plan and last payment, and leads to the next page by position', async () => {
  const { asked, container, user } = open('/support/customers', [asha, visitor]);
  const row = await screen.findByRole('row', { name: /Asha Sweets LLP/ });
  expect(within(row).getByRole('link', { name: 'Asha Sweets LLP' })).toHaveAttribute('href', '/support/customers/c1');
  expect(row).toHaveTextContent('Asha Rao');
  expect(row).toHaveTextContent('Growth, yearly');
  expect(within(row).getByRole('link', { name: '₹14,750' })).toHaveAttribute('href', '/support/payments/FP1');
  expect(screen.getByRole('link', { name: '+91 98765 43211' })).toBeInTheDocument();
  expect(screen.getByText('2 of 40')).toBeInTheDocument();
  expect(await accessibilityFaults(container)).toEqual([]);
  await user.click(screen.getByRole('link', { name: 'Next' }));
  await waitFor(() => expect(asked.at(-1)).toBe('?page=2&per_page=20&after=2026-11-28.c2'));
});

test('keeps the filters in the URL, returns to the first page, and clears them', async () => {
  const { asked, user, router } = open('/support/customers?page=2&after=x&tag=vip', [asha]);
  await screen.findByRole('row', { name: /Asha/ });
  await user.selectOptions(screen.getByLabelText('State'), 'grace');
  await user.selectOptions(screen.getByLabelText('Renews'), '30');
  await user.selectOptions(await screen.findByLabelText('Debt'), 'true');
  await waitFor(() =>
    expect(Object.fromEntries(new URLSearchParams(asked.at(-1)))).toEqual({
      page: '1',
      state: 'grace',
      owes: 'true',
      tag: 'vip',
      per_page: '20',
      renews_within: '30',
    }),
  );
  await user.click(screen.getByRole('button', { name: 'Clear filters' }));
  expect(router.state.location.search).toBe('');
});

test('says why the list is empty', async () => {
  open('/support/customers?state=lapsed', []);
  expect(await screen.findByText('No customer matches')).toBeVisible();
});
