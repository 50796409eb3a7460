import { queryOptions, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { beforeEach, describe, expect, it } from 'vitest';
import { PageTitle } from '@/ui/page-title';
import { api, envelope } from '@/lib/api/client';
import { createQueryClient } from '@/lib/api/query-client';
import { profile } from '@/testing/security';
import { answer, refuse } from '@/testing/server';
import { Root } from './root';

beforeEach(() => {
  answer('get', '/notifications/unread', { unread: 0 });
  answer('get', '/profile/details/profile', profile);
  answer('get', '/announcement', { announcement: null });
});

const asking = queryOptions({
  queryKey: ['asking'],
  queryFn: () => envelope(api.GET('/subscription/list', { params: { query: {} } })),
  retry: false,
  meta: { toast: 'error' },
});

function Page() {
  return <PageTitle>Plans</PageTitle>;
}

function Asking() {
  const list = useQuery(asking);
  return <PageTitle>{list.isError ? 'Refused' : 'Asking'}</PageTitle>;
}

describe('a redirect that an error supplies', () => {
  const openAsking = (redirect: string) => {
    refuse('get', '/subscription/list', 402, { message: 'Choose a plan first', redirect_to: redirect });
    const router = createMemoryRouter(
      [
        {
          element: <Root />,
          children: [
            { path: 'asking', element: <Asking /> },
            { path: '*', element: <Page /> },
          ],
        },
      ],
      { initialEntries: ['/asking?tab=2'] },
    );
    render(
      <QueryClientProvider client={createQueryClient()}>
        <RouterProvider router={router} />
      </QueryClientProvider>,
    );
    return router;
  };

  it.each([
    ['/pricing', '/pricing'],
    ['subscription_price', '/pricing'],
    ['/store-details/address', '/store-details/address?return=%2Fasking%3Ftab%3D2'],
  ])('%s is followed after the message', async (redirect, expected) => {
    const router = openAsking(redirect);
    await waitFor(() => expect(router.state.location.pathname + router.state.location.search).toBe(expected));
    expect(screen.getByText('Choose a plan first')).toBeInTheDocument();
  });

  it.each(['https://elsewhere.example', '//elsewhere.example', '/asking', 'something'])(
    '%s leaves the page as it is',
    async (redirect) => {
      const router = openAsking(redirect);
      expect(await screen.findByText('Refused')).toBeInTheDocument();
      expect(router.state.location.pathname).toBe('/asking');
    },
  );
});
