import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, screen } from '@testing-library/react';
import { hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, onTestFinished, test } from 'vitest';
import { plansQuery } from '@/domain/plan-comparison/api/plans';
import { plan } from '@/testing/subscription-factories';
import { LivePlans } from './live-plans';

const page = (client: QueryClient) => (
  <MemoryRouter>
    <QueryClientProvider client={client}>
      <LivePlans />
    </QueryClientProvider>
  </MemoryRouter>
);

test('prices that arrived before the prerendered markup is taken over are shown after it, and nothing is thrown away', async () => {
  const root = document.body.appendChild(document.createElement('div'));
  root.innerHTML = renderToString(page(new QueryClient()));
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  client.setQueryData(plansQuery(false).queryKey, { subscription_plan: [plan()] } as never);
  const errors: unknown[] = [];
  await act(async () => {
    const hydrated = hydrateRoot(root, page(client), { onRecoverableError: (error) => errors.push(error) });
    onTestFinished(() => {
      act(() => hydrated.unmount());
      root.remove();
    });
    await Promise.resolve();
  });
  expect(await screen.findByRole('article', { name: 'Start up' })).toBeVisible();
  expect(screen.getByText('SAVE UP TO 10%')).toBeVisible();
  expect(errors).toEqual([]);
});
