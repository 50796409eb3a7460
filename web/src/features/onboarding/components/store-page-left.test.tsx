import { act, screen, waitFor } from '@testing-library/react';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Outlet } from 'react-router';
import { expect, test } from 'vitest';
import { startSession } from '@/lib/session/session';
import { franchiserUser } from '@/testing/factories';
import { renderRoutes } from '@/testing/render';
import { answer } from '@/testing/server';
import { MyStorePage } from './my-store-page';
import { StorePage } from './store-page';

/** A query that every screen shows and that is slow to refetch. */
const shownEverywhere = (ask: () => Promise<number>) => queryOptions({ queryKey: ['shown everywhere'], queryFn: ask });

function Frame({ ask }: { ask: () => Promise<number> }) {
  useQuery(shownEverywhere(ask));
  return <Outlet />;
}

test('a customer who continues to the dashboard is not brought back by a late reload of the data', async () => {
  startSession(franchiserUser({ is_active: true }));
  const tenant = { id: 't-1', store_name: 'Asha Sweets', domain: 'asha-sweets.example', custom_domain_state: 'none' };
  answer('post', '/tenant/create', {
    tenant,
    'franchiser-user': franchiserUser({ is_active: true, has_store_details: true, store_name: 'Asha Sweets' }),
  });
  answer('get', '/subscription/dashboard', { subscription: null, tenant, add_ons_services: [] });
  answer('get', '/subscription/renewals', null);
  answer('get', '/business', [{ id: 'b-0', name: 'Retail' }]);
  let asked = 0;
  let answerLate: () => void = () => undefined;
  const late = new Promise<void>((resolve) => (answerLate = resolve));
  const ask = async () => {
    asked += 1;
    if (asked > 1) await late;
    return asked;
  };
  const { user, queryClient } = renderRoutes(
    [
      {
        element: <Frame ask={ask} />,
        children: [
          { path: 'store-details', element: <StorePage /> },
          { path: 'store-details/my-store', element: <MyStorePage /> },
          { path: 'dashboard', element: <h1>Dashboard of the store</h1> },
        ],
      },
    ],
    { at: '/store-details' },
  );
  await user.type(screen.getByLabelText('Store Name'), 'Asha Sweets');
  await user.type(screen.getByLabelText('Store password'), 'Mango#2026');
  await user.click(screen.getByRole('combobox', { name: /^Store type/ }));
  await user.click(await screen.findByRole('option', { name: 'Retail' }));
  await user.click(screen.getByRole('button', { name: 'Next' }));
  await user.click(await screen.findByRole('link', { name: 'Dashboard' }));
  await screen.findByRole('heading', { name: 'Dashboard of the store' });
  expect(asked).toBe(2);
  answerLate();
  await waitFor(() => expect(queryClient.isFetching() + queryClient.isMutating()).toBe(0));
  await act(() => new Promise((resolve) => setTimeout(resolve))); // let pending work after the answer finish
  expect(screen.getByRole('heading', { name: 'Dashboard of the store' })).toBeVisible();
});
