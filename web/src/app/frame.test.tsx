import { QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createMemoryRouter, RouterProvider, useNavigate, type RouteObject } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PageTitle } from '@/ui/page-title';
import { Toasts } from '@/ui/toasts';
import { createQueryClient } from '@/lib/api/query-client';
import { endSession, startSession } from '@/lib/session/session';
import { reloadPage } from '@/lib/reload';
import { toast, TOAST_MS, toastTime } from '@/lib/toast';
import { franchiserUser, signedIn } from '@/testing/factories';
import { passTime } from '@/testing/pass-time';
import { accessibilityFaults } from '@/testing/render';
import { profile } from '@/testing/security';
import { answer } from '@/testing/server';
import { ErrorPage } from './error-page';
import { RequireActive, RequireAuth, RequireStore } from './guards/require';
import { SiteLayout } from './layout/site-layout';
import { NotFoundPage } from './not-found-page';
import { Root } from './root';

beforeEach(() => {
  answer('get', '/notifications/unread', { unread: 0 });
  answer('get', '/profile/details/profile', profile);
  answer('get', '/announcement', { announcement: null }); // requested after a short delay
});

function Page() {
  return <PageTitle>Plans</PageTitle>;
}

function Broken(): never {
  throw new Error('The page fell over.');
}

function Other() {
  const navigate = useNavigate();
  return <button onClick={() => void navigate('/page')}>Go</button>;
}

const routes: RouteObject[] = [
  {
    element: <Root />,
    children: [
      {
        element: <SiteLayout />,
        children: [
          { path: 'page', element: <Page /> },
          { path: 'other', element: <Other /> },
          { path: 'broken', element: <Broken />, errorElement: <ErrorPage /> },
          { path: 'dashboard', element: <Page /> },
          {
            path: 'search',
            element: (
              <>
                <Page />
                <input aria-label="Search" data-route-focus="" />
              </>
            ),
          },
          { path: '*', element: <NotFoundPage /> },
        ],
      },
    ],
  },
];

function open(at: string) {
  const router = createMemoryRouter(routes, { initialEntries: [at] });
  const view = render(<RouterProvider router={router} />);
  return { ...view, router, user: userEvent.setup() };
}

describe('the frame', () => {
  it('breaks no accessibility rule for visitors', async () => {
    const { container } = open('/page');
    expect(document.title).toBe('Plans – Franchise 360');
    expect(screen.getByRole('link', { name: 'Login' })).toHaveAttribute('href', '/login');
    expect(within(screen.getByRole('banner')).getByRole('link', { name: 'Explore Our Plans' })).toHaveAttribute(
      'href',
      '/pricing',
    );
    expect(screen.getByRole('complementary', { name: 'Contact' })).toBeInTheDocument();
    expect(await accessibilityFaults(container)).toEqual([]);
  });

  it('opens and closes its menus by keyboard', async () => {
    const { user } = open('/page');
    const button = within(screen.getByRole('banner')).getByRole('button', { name: 'Resources' });
    button.focus();
    await user.keyboard('{Enter}');
    expect(within(screen.getByRole('banner')).getByRole('link', { name: 'What is a franchise?' })).toBeVisible();
    await user.keyboard('{Escape}');
    expect(button).toHaveAttribute('aria-expanded', 'false');
    expect(button).toHaveFocus();
  });

  it('closes the menu of a small screen by Escape, and gives the focus back', async () => {
    const { user } = open('/page');
    await user.click(screen.getByRole('button', { name: 'Open menu' }));
    await user.tab();
    expect(screen.getByRole('navigation', { name: 'Main, small screen' })).toContainElement(
      document.activeElement as HTMLElement,
    );
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('navigation', { name: 'Main, small screen' })).not.toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Open menu' })).toHaveFocus();
  });

  it('shows a signed-in person their menu, with Dashboard only for the active', async () => {
    answer('get', '/session', signedIn());
    startSession(franchiserUser());
    const { user, container } = open('/page');
    const menu = await screen.findByRole('button', { name: 'Account menu of Asha Kulkarni' });
    await user.click(menu);
    const entries = () =>
      within(menu.parentElement as HTMLElement)
        .getAllByRole('link')
        .map((link) => link.textContent.trim());
    expect(entries()).toEqual(['View Details', 'Renewals & Billing']);
    expect(screen.queryByRole('link', { name: 'Login' })).not.toBeInTheDocument();
    expect(screen.getByRole('link', { name: /Help & Support/ })).toHaveAttribute('href', '/helpcenter');
    act(() => startSession(franchiserUser({ is_active: true })));
    expect(entries()).toEqual(['View Details', 'Dashboard', 'Renewals & Billing']);
    expect(await accessibilityFaults(container)).toEqual([]);
  });

  it('hides the contact strip and slims the footer on the dashboard of a signed-in person', async () => {
    answer('get', '/session', signedIn());
    startSession(franchiserUser());
    open('/Dashboard/');
    await screen.findByRole('button', { name: /Account menu/ });
    expect(screen.queryByRole('complementary', { name: 'Contact' })).not.toBeInTheDocument();
    const footer = within(screen.getByRole('contentinfo'));
    expect(footer.queryByRole('link', { name: 'Explore Our Plans' })).not.toBeInTheDocument();
    expect(footer.getByRole('link', { name: 'Privacy Policy' })).toBeInTheDocument();
  });

  it('takes over from the server what the stored state does not know', async () => {
    answer('get', '/session', signedIn({ is_active: true, first_name: 'Usha' }));
    startSession(franchiserUser());
    open('/page');
    expect(await screen.findByRole('button', { name: 'Account menu of Usha Kulkarni' })).toBeInTheDocument();
  });

  it('logs out on the server, forgets the person and loads the page anew', async () => {
    answer('get', '/session', signedIn());
    const sent = answer('post', '/logout', null);
    startSession(franchiserUser());
    const { user } = open('/page');
    await user.click(await screen.findByRole('button', { name: /Account menu/ }));
    await user.click(screen.getByRole('button', { name: 'Logout' }));
    await waitFor(() => expect(reloadPage).toHaveBeenCalledOnce());
    expect(sent.requests).toHaveLength(1);
    expect(localStorage.getItem('franchiser-user')).toBeNull();
  });

  it('moves the focus to the heading of a new page', async () => {
    const { user } = open('/other');
    await user.click(screen.getByRole('button', { name: 'Go' }));
    const title = await screen.findByRole('heading', { level: 1, name: 'Plans' });
    await waitFor(() => expect(title).toHaveFocus());
  });

  it('moves it to the field that a page is used by', async () => {
    const { router } = open('/other');
    await router.navigate('/search');
    const field = await screen.findByRole('textbox', { name: 'Search' });
    await waitFor(() => expect(field).toHaveFocus());
  });
});

describe('a page that is not there', () => {
  it('has the texts of the specification and the way home', async () => {
    const { container } = open('/nowhere');
    expect(screen.getByText('Oops..!!')).toBeInTheDocument();
    expect(screen.getByText('404 - PAGE NOT FOUND')).toBeInTheDocument();
    expect(screen.getByRole('heading', { level: 1, name: 'Page not found' })).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Go to Homepage' })).toHaveAttribute('href', '/');
    expect(await accessibilityFaults(container)).toEqual([]);
  });

  it('leads staff to the console', () => {
    open('/support/nothing');
    expect(screen.getByRole('link', { name: 'Go to Homepage' })).toHaveAttribute('href', '/support');
  });

  it('leads to the store’s home inside a store', () => {
    open('/Store/shelf/1');
    expect(screen.getByRole('link', { name: 'Go to Homepage' })).toHaveAttribute('href', '/subscription_store');
  });

  it('shows what happened where a page fell over', () => {
    const silent = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    open('/broken');
    expect(screen.getByRole('heading', { name: 'Something went wrong on this page' })).toBeInTheDocument();
    expect(screen.getByText('The page fell over.')).toBeInTheDocument();
    silent.mockRestore();
  });
});

describe('guards', () => {
  const guarded: RouteObject[] = [
    {
      element: <RequireAuth />,
      children: [
        { path: 'account', element: <p>account</p> },
        {
          element: <RequireActive />,
          children: [{ element: <RequireStore />, children: [{ path: 'dashboard', element: <p>dashboard</p> }] }],
        },
      ],
    },
    { path: '*', element: null },
  ];
  const go = (at: string) => {
    const router = createMemoryRouter(guarded, { initialEntries: [at] });
    render(
      <QueryClientProvider client={createQueryClient()}>
        <RouterProvider router={router} />
      </QueryClientProvider>,
    );
    return router;
  };

  it.each([
    ['a visitor', null, '/account?tab=store', '/login?return=%2Faccount%3Ftab%3Dstore'],
    ['somebody without a plan', {}, '/account', '/account'],
    ['somebody without a plan', {}, '/dashboard', '/pricing'],
    ['somebody without a store', { is_active: true }, '/dashboard', '/store-details'],
    ['somebody with both', { is_active: true, has_store_details: true }, '/dashboard', '/dashboard'],
  ])('lead %s (%j) from %s to %s', async (_who, user, from, to) => {
    if (user) {
      startSession(franchiserUser(user));
      answer('get', '/session', signedIn(user));
    }
    const router = go(from);
    await waitFor(() => expect(router.state.location.pathname + router.state.location.search).toBe(to));
  });

  it('lead to the login as soon as the session ends', () => {
    startSession(franchiserUser());
    const router = go('/account');
    act(() => endSession('Unauthorized! Please log in again.'));
    expect(router.state.location.pathname).toBe('/login');
  });
});

describe('toasts', () => {
  afterEach(() => vi.useRealTimers());

  it('stay four seconds, leave within 300 ms, and are not doubled', () => {
    vi.useFakeTimers();
    toastTime.ms = TOAST_MS;
    render(<Toasts />);
    act(() => {
      toast.success('Saved');
      toast.success('Saved');
      toast.warn('Careful');
    });
    expect(screen.getAllByText('Saved')).toHaveLength(1);
    passTime(3999);
    expect(screen.getByText('Saved').closest('.toast-item')).not.toHaveClass('toast-leaving');
    passTime(1);
    expect(screen.getByText('Saved').closest('.toast-item')).toHaveClass('toast-leaving');
    passTime(300);
    expect(screen.queryByText('Saved')).not.toBeInTheDocument();
  });
});
