import { screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { getSession, startSession } from '@/lib/session/session';
import { franchiserUser, signedIn } from '@/testing/factories';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { answer, refuse } from '@/testing/server';
import { nextBill } from '@/testing/payment-factories';
import { noPlan } from '@/testing/subscription-factories';
import { MyStorePage } from './my-store-page';
import { StorePage } from './store-page';

const tenant = {
  id: 't-1',
  franchiser_id: 'f-1',
  store_name: 'Asha Sweets',
  store_username: '9876543210',
  password: null,
  password_set: true,
  domain: 'asha-sweets.example',
  custom_domain: null,
  custom_domain_state: 'none',
  ip_address: null,
  dashboard_url: 'https://asha-sweets.example/dashboard/login',
};
const types = ['Retail', 'Manufacturing', 'Food and beverage', 'Education'].map((name, index) => ({
  id: `b-${index}`,
  name,
}));
const routes = [
  { path: 'store-details', element: <StorePage /> },
  { path: 'store-details/my-store', element: <MyStorePage /> },
];

beforeEach(() => void answer('get', '/subscription/renewals', null));

function setup(bill: ReturnType<typeof nextBill> | null = null) {
  answer('get', '/subscription/dashboard', noPlan());
  answer('get', '/business', types);
  answer('get', '/subscription/renewals', bill);
  return renderRoutes(routes);
}

type View = ReturnType<typeof setup>;

async function fill(
  { user }: View,
  { name = 'Asha Sweets', type = 'Food and beverage', password = 'Mango#2026' } = {},
) {
  if (name) await user.type(screen.getByLabelText('Store Name'), name);
  if (password) await user.type(screen.getByLabelText('Store password'), password);
  if (type) {
    await user.click(screen.getByRole('combobox', { name: /^Store type/ }));
    await user.click(await screen.findByRole('option', { name: type }));
  }
  await user.click(screen.getByRole('button', { name: 'Next' }));
}

describe('store details', () => {
  beforeEach(() => startSession(franchiserUser({ is_active: true })));

  it('breaks no accessibility rule, empty and with errors', async () => {
    const view = setup();
    expect(await accessibilityFaults(view.container)).toEqual([]);
    await view.user.click(screen.getByRole('button', { name: 'Next' }));
    await screen.findByRole('alert');
    expect(await accessibilityFaults(view.container)).toEqual([]);
  });

  it('says in the days of grace that the plan is overdue, with the way to renew it', async () => {
    startSession(franchiserUser({ is_active: true, payment_status: 2 }));
    setup(nextBill({ state: 'grace', can_renew: true, renew_on: '2026-11-22', pay_by: '2026-11-28' }));
    expect(await screen.findByText(/^Your plan ended on 21 Nov 2026\. Renew .* by 28 Nov 2026/)).toBeVisible();
    expect(screen.getByRole('button', { name: 'Renew' })).toBeVisible();
    expect(screen.getByLabelText('Store Name')).toBeVisible();
  });

  it('shows the mobile number as a user name that cannot be changed', () => {
    setup();
    expect(screen.getByLabelText('Store username')).toHaveValue('9876543210');
    expect(screen.getByLabelText('Store username')).toHaveAttribute('readonly');
  });

  it.each([
    ['Store Name', { name: '' }, 'Store Name can not be empty.'],
    ['Store Name', { name: 'A' }, 'Please use at least 2 characters'],
    ['Store Name', { name: 'Asha & Co' }, 'Please input alphanumeric characters only'],
    ['Store Name', { name: 'A'.repeat(51) }, 'Store Name should be 50 characters at most'],
    ['Store password', { password: 'short' }, 'Password needs at least 8 characters'],
    ['Store password', { password: '' }, 'Store password can not be empty.'],
  ])('judges the %s of %j', async (label, change, message) => {
    const view = setup();
    await fill(view, change);
    await waitFor(() =>
      expect(screen.getByLabelText(label)).toHaveAccessibleDescription(expect.stringContaining(`Error: ${message}`)),
    );
  });

  it('wants a type', async () => {
    const view = setup();
    await fill(view, { type: '' });
    await waitFor(() =>
      expect(screen.getByRole('combobox', { name: /^Store type/ })).toHaveAccessibleDescription(
        'Error: Kindly choose one',
      ),
    );
  });

  it('is sent by Enter and leads to the welcome', async () => {
    const sent = answer('post', '/tenant/create', {
      tenant,
      'franchiser-user': franchiserUser({ is_active: true, has_store_details: true, store_name: 'Asha Sweets' }),
    });
    answer('get', '/subscription/dashboard', { subscription: null, tenant, add_ons_services: [] });
    const view = setup();
    await fill(view, { name: '' });
    await view.user.type(screen.getByLabelText('Store Name'), '  Asha   Sweets {Enter}');
    expect(await screen.findByRole('heading', { name: 'Welcome, Asha Sweets!' })).toBeInTheDocument();
    expect(sent.bodies).toEqual([
      { store_username: '9876543210', store_name: 'Asha Sweets', store_type: 'b-2', store_password: 'Mango#2026' },
    ]);
    expect(getSession()).toMatchObject({
      hasStoreDetails: true,
      storeName: 'Asha Sweets',
      franchiserID: franchiserUser().franchiser_id,
    });
  });

  it('shows the server’s refusal', async () => {
    refuse('post', '/tenant/create', 409, { code: 'store_exists', message: 'Your store is set up already.' });
    const view = setup();
    await fill(view);
    expect(await screen.findByRole('alert')).toHaveTextContent('Your store is set up already.');
  });

  it('chooses the type by keyboard alone', async () => {
    const { user } = setup();
    const type = screen.getByRole('combobox', { name: /^Store type/ });
    type.focus();
    await user.keyboard('{Enter}');
    await screen.findByRole('option', { name: 'Retail' });
    await user.keyboard('{ArrowDown}{ArrowDown}{Enter}');
    expect(type).toHaveTextContent('Manufacturing');
    await user.keyboard('e');
    expect(type).toHaveAttribute('aria-expanded', 'true');
    await user.keyboard('{Enter}');
    expect(type).toHaveTextContent('Education');
    await user.keyboard('{ArrowDown}{Escape}');
    expect(type).toHaveAttribute('aria-expanded', 'false');
    expect(type).toHaveTextContent('Education');
  });

  it('scrolls a list of more than three', async () => {
    const { user } = setup();
    await user.click(screen.getByRole('combobox', { name: /^Store type/ }));
    await screen.findByRole('option', { name: 'Retail' });
    expect(screen.getByRole('listbox', { name: 'Store type' })).toHaveClass('option-list-scroll');
  });

  it('says so where there are no types', async () => {
    answer('get', '/business', []);
    const { user } = renderRoutes(routes);
    await user.click(screen.getByRole('combobox', { name: /^Store type/ }));
    expect(await screen.findByRole('option', { name: 'No Data Found !!' })).toBeInTheDocument();
  });

  it('warns where the types could not be loaded, and loads them again', async () => {
    refuse('get', '/business', 500);
    const { user } = renderRoutes(routes);
    await user.click(await screen.findByRole('button', { name: 'Retry' }));
    answer('get', '/business', types);
    await user.click(await screen.findByRole('button', { name: 'Retry' }));
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Retry' })).not.toBeInTheDocument());
  });
});

describe('store details without a plan', () => {
  it('requires a plan first', async () => {
    startSession(franchiserUser());
    answer('get', '/session', signedIn());
    setup();
    expect(await screen.findByText('Kindly choose a plan before filling in the store details')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Explore Our Plans' })).toHaveAttribute('href', '/pricing');
  });
});

describe('while the account is to be erased', () => {
  const said = /^Your account will be erased on 28 Nov 2026\./;

  it.each([
    ['without a plan', {}],
    ['after the plan has ended', { is_active: true, payment_status: 5 }],
  ] as const)('no plan is offered %s, and it is said why', async (_, change) => {
    const leaving = { ...change, erase_on: '2026-11-28' };
    startSession(franchiserUser(leaving));
    answer('get', '/session', signedIn(leaving));
    setup();
    expect(await screen.findByText(said)).toBeVisible();
    expect(screen.getByRole('button', { name: 'Keep my account' })).toBeVisible();
    await waitFor(() => expect(screen.queryByText('Loading your plan')).not.toBeInTheDocument());
    expect(screen.queryByRole('link', { name: 'Explore Our Plans' })).not.toBeInTheDocument();
    expect(screen.queryByText(/^Kindly choose a plan/)).not.toBeInTheDocument();
  });

  it('the new store says so too', async () => {
    startSession(franchiserUser({ is_active: true, has_store_details: true, erase_on: '2026-11-28' }));
    answer('get', '/subscription/dashboard', { subscription: null, tenant, add_ons_services: [] });
    renderRoutes(routes, { at: '/store-details/my-store' });
    expect(await screen.findByText(said)).toBeVisible();
    expect(screen.getByRole('button', { name: 'Keep my account' })).toBeVisible();
  });
});

describe('welcome', () => {
  it('shows completed and open tasks', async () => {
    startSession(franchiserUser({ is_active: true, has_store_details: true, store_name: 'Asha Sweets' }));
    answer('get', '/subscription/dashboard', {
      subscription: { franchises: { current: 0, limit: 18 } },
      tenant,
      add_ons_services: [],
    });
    const { container } = renderRoutes(routes, { at: '/store-details/my-store' });
    expect(await screen.findByText('1 of 4 done')).toBeInTheDocument();
    expect(screen.getAllByRole('heading', { level: 3 }).map((heading) => heading.textContent)).toEqual([
      'Store details, done',
      'Business address, to do',
      'A domain of your own, to do',
      'Your first franchise, to do',
    ]);
    expect(screen.getByRole('link', { name: 'Dashboard' })).toHaveAttribute('href', '/dashboard');
    expect(await accessibilityFaults(container)).toEqual([]);
  });

  it('leads to the store form where there is no store', async () => {
    startSession(franchiserUser({ is_active: true }));
    answer('get', '/business', types);
    renderRoutes(routes, { at: '/store-details/my-store' });
    expect(await screen.findByRole('heading', { name: 'Set up your store' })).toBeInTheDocument();
  });
});

describe('without a plan that runs', () => {
  const ended = { is_active: true, payment_status: 5 } as const;

  it.each([
    ['the first plan', {}],
    ['a plan in place of the one that ended', ended],
  ])('%s is asked for before the store', async (_, change) => {
    startSession(franchiserUser(change));
    answer('get', '/session', signedIn(change));
    setup();
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'Kindly choose a plan before filling in the store details',
    );
    expect(screen.getByRole('link', { name: 'Explore Our Plans' })).toHaveAttribute('href', '/pricing');
    expect(screen.queryByLabelText('Store Name')).not.toBeInTheDocument();
  });

  it('offers to renew the ended plan', async () => {
    startSession(franchiserUser(ended));
    answer('get', '/session', signedIn(ended));
    setup(nextBill({ state: 'expired', can_renew: true }));
    expect(
      await screen.findByText('Your plan has ended. Start up · Expansion can be renewed for ₹1,59,300.'),
    ).toBeVisible();
    expect(screen.getByRole('button', { name: 'Renew' })).toBeVisible();
  });

  it('asks for the store once the server says that the plan runs again', async () => {
    startSession(franchiserUser(ended));
    answer('get', '/session', signedIn({ is_active: true, payment_status: 1 }));
    answer('get', '/business', types);
    answer('get', '/subscription/renewals', null);
    renderRoutes([{ path: 'store-details', element: <StorePage /> }]);
    expect(await screen.findByLabelText('Store Name')).toBeVisible();
  });
});
