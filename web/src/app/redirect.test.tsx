import { queryOptions, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { beforeEach, describe, expect, it } from 'vitest';
import { PageTitle } from '@/ui/page-title';
import { api, envelope } from '@/lib/api/client';
import { createQueryClient } from '@/lib/api/query-client';
import { pageOf } from '@/testing/payment-factories';
import { profile } from '@/testing/security';
import { answer, refuse } from '@/testing/server';
import { Root } from './root';

beforeEach(() => {
  answer('get', '/notifications/unread', { unread: 0 });
  answer('get', '/profile/details/profile', profile);
  answer('get', '/announcement', { announcement: null });
});

const asking = (toast: 'error' | 'refresh' | 'redirect' = 'error') =>
  queryOptions({
    queryKey: ['asking'],
    queryFn: () => envelope(api.GET('/subscription/list', { params: { query: {} } })),
    retry: false,
    meta: { toast },
  });

function Page() {
  return <PageTitle>Plans</PageTitle>;
}

function Asking({ toast }: { toast?: 'error' | 'refresh' | 'redirect' | undefined }) {
  const list = useQuery(asking(toast));
  return (
    <>
      <PageTitle>{list.isError ? 'Refused' : 'Asking'}</PageTitle>
      <button type="button" onClick={() => void list.refetch()}>
        Again
      </button>
    </>
  );
}

describe('a redirect that an error supplies', () => {
  const openAsking = (redirect: string, toast?: 'error' | 'refresh' | 'redirect') => {
    refuse('get', '/subscription/list', 402, { message: 'Choose a plan first', redirect_to: redirect });
    const router = createMemoryRouter(
      [
        {
          element: <Root />,
          children: [
            { path: 'asking', element: <Asking toast={toast} /> },
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

  it.each(['refresh', 'redirect'] as const)('is followed after the message also with the toast %s', async (toast) => {
    const router = openAsking('/pricing', toast);
    await waitFor(() => expect(router.state.location.pathname).toBe('/pricing'));
    expect(screen.getByText('Choose a plan first')).toBeInTheDocument();
  });

  it.each(['refresh', 'redirect'] as const)(
    'has no message with the toast %s on a screen that stays',
    async (toast) => {
      openAsking('', toast);
      expect(await screen.findByText('Refused')).toBeInTheDocument();
      expect(screen.queryByText('Choose a plan first')).not.toBeInTheDocument();
    },
  );

  it('a failed refresh of data on the screen has a message', async () => {
    openAsking('', 'refresh');
    expect(await screen.findByText('Refused')).toBeInTheDocument();
    answer('get', '/subscription/list', [], 'Orders.', pageOf(1));
    await userEvent.click(screen.getByRole('button', { name: 'Again' }));
    expect(await screen.findByText('Asking')).toBeInTheDocument();
    refuse('get', '/subscription/list', 402, { message: 'Choose a plan first' });
    await userEvent.click(screen.getByRole('button', { name: 'Again' }));
    expect(await screen.findByText('Choose a plan first')).toBeInTheDocument();
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
