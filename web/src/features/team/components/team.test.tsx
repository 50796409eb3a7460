import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { RequireAuth, RequireBilling, RequireOwner, RequireStoreRole } from '@/app/guards/require';
import { openAfresh } from '@/lib/reload';
import { getSession, startSession } from '@/lib/session/session';
import { franchiserUser, signedIn } from '@/testing/factories';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { answer, refuse } from '@/testing/server';
import type { Member, TeamEvent } from '../api/team';
import { eventText } from '../words';
import { AccountsPage } from './accounts-page';
import { InvitationPage } from './invitation-page';
import { TeamPage } from './team-page';

const routes = [
  { path: 'account/team', element: <TeamPage /> },
  { path: 'accounts', element: <AccountsPage /> },
  { path: 'team/:code', element: <InvitationPage /> },
];
const ravi: Member = {
  id: '019ae0c2-9f00-7a11-8f00-4b1d2c3e4f51',
  name: 'Ravi Rao',
  mobile: '9123456789',
  role: 'accountant',
  state: 'invited',
  invited_at: '2026-11-21T05:30:00Z',
  accepted_at: null,
  last_seen_at: null,
  invitation: { expires_at: '2026-11-28T05:30:00Z', state: 'failed' },
};
const joined: TeamEvent = {
  id: '019ae0c2-9f00-7a11-8f00-4b1d2c3e4f53',
  at: '2026-11-21T05:30:00Z',
  name: 'Meera Shah',
  by_owner: false,
  kind: 'accepted',
  role: 'manager',
  operation: null,
  outcome: null,
};
const invitation = {
  account_name: 'Asha Sweets LLP',
  invited_by: 'Asha Kulkarni',
  name: 'Ravi Rao',
  role: 'accountant',
  mobile: '•••••• 6789',
  expires_at: '2026-11-28T05:30:00Z',
};

beforeEach(() => {
  vi.mocked(openAfresh).mockClear();
  startSession(franchiserUser({ is_active: true, has_store_details: true }));
});

test('an account with one member explains invitations, and the form shows errors at its fields', async () => {
  answer('get', '/team', { members: [], activity: [] });
  const { user, container } = renderRoutes(routes, { at: '/account/team' });
  expect(await screen.findByText('You are the only one with access.')).toBeVisible();
  const trail = within(screen.getByRole('navigation', { name: 'Breadcrumb' }));
  expect(trail.getByRole('link', { name: 'Account' })).toHaveAttribute('href', '/account');
  expect(await accessibilityFaults(container)).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Invite a team member' }));
  const dialog = await screen.findByRole('dialog', { name: 'Invite a team member' });
  await user.click(within(dialog).getByRole('button', { name: 'Send invitation' }));
  expect(await within(dialog).findByText('There is a problem')).toBeVisible();
  expect(within(dialog).getByLabelText('Name')).toBeInvalid();

  await user.type(within(dialog).getByLabelText('Name'), 'Ravi Rao');
  await user.type(within(dialog).getByLabelText('Mobile number'), '+91 91234 56789');
  await user.click(within(dialog).getByRole('combobox', { name: /Role/ }));
  await user.click(await within(dialog).findByRole('option', { name: /Accountant/ }));
  await user.type(within(dialog).getByLabelText('Password'), 'Mango#2026');
  refuse('post', '/team/members', 422, {
    code: 'validation_failed',
    messages: { mobile: ['You already invited this mobile number.'] },
  });
  await user.click(within(dialog).getByRole('button', { name: 'Send invitation' }));
  expect((await within(dialog).findAllByText(/You already invited this mobile number/))[0]).toBeVisible();
  const sent = answer('post', '/team/members', ravi, 'Invitation sent.');
  answer('get', '/team', { members: [ravi], activity: [joined] });
  await user.click(within(dialog).getByRole('button', { name: 'Send invitation' }));
  expect(await screen.findByRole('heading', { name: /Ravi Rao/ })).toBeVisible();
  expect(sent.bodies).toEqual([{ name: 'Ravi Rao', mobile: '9123456789', role: 'accountant', password: 'Mango#2026' }]);
});

test('members and invitations, what happened, and withdrawing', async () => {
  answer('get', '/team', { members: [ravi], activity: [joined] });
  const { user, container } = renderRoutes(routes, { at: '/account/team' });
  expect(await screen.findByText(/The SMS could not be sent/)).toBeVisible();
  expect(screen.getByText('Meera Shah joined as manager.')).toBeVisible();
  expect(await accessibilityFaults(container)).toEqual([]);

  refuse('post', '/team/members/{id}/resend', 429, { message: 'Please wait.', code: 'too_many_requests' });
  await user.click(screen.getByRole('button', { name: /Send again/ }));
  const again = await screen.findByRole('dialog', { name: 'Send the invitation to Ravi Rao again?' });
  expect(await accessibilityFaults(again)).toEqual([]);
  await user.type(within(again).getByLabelText('Password'), 'Mango#2026');
  await user.click(within(again).getByRole('button', { name: 'Send invitation' }));
  expect(await within(again).findByRole('alert')).toHaveTextContent('Please wait');
  const sent = answer('post', '/team/members/{id}/resend', ravi, 'Invitation sent again.');
  await user.click(within(again).getByRole('button', { name: 'Send invitation' }));
  await waitFor(() => expect(sent.bodies).toEqual([{ password: 'Mango#2026' }]));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const changed = answer('put', '/team/members/{id}', null, 'Role changed.');
  await user.click(screen.getByRole('button', { name: /Make manager/ }));
  const other = await screen.findByRole('dialog', { name: 'Change the role of Ravi Rao?' });
  await user.type(within(other).getByLabelText('Password'), 'Mango#2026');
  await user.click(within(other).getByRole('button', { name: 'Change role' }));
  await waitFor(() => expect(changed.bodies).toEqual([{ role: 'manager', password: 'Mango#2026' }]));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const removed = answer('delete', '/team/members/{id}', null, 'Gone.');
  await user.click(screen.getByRole('button', { name: /Withdraw/ }));
  answer('get', '/team', { members: [], activity: [] });
  await user.click(await screen.findByRole('button', { name: 'Withdraw invitation' }));
  expect(await screen.findByText('You are the only one with access.')).toBeVisible();
  expect(removed.requests).toHaveLength(1);
});

test('a team that cannot be loaded says so and can be asked for again', async () => {
  refuse('get', '/team', 503, { code: 'unavailable', message: 'Not just now.' });
  const { user } = renderRoutes(routes, { at: '/account/team' });
  await screen.findByText('We could not load your team.');
  answer('get', '/team', { members: [ravi], activity: [] });
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByRole('heading', { name: /Ravi Rao/ })).toBeVisible();
});

test('an invitation says who invites to what, and leads through the log-in and back', async () => {
  const { endSession } = await import('@/lib/session/session');
  endSession();
  answer('get', '/team/invitations/{code}', invitation);
  const { container } = renderRoutes(routes, { at: '/team/abc' });
  expect(await screen.findByText(/Asha Kulkarni invites you/)).toHaveTextContent('Asha Sweets LLP as accountant');
  expect(screen.getByText(/sees orders, payments, invoices/)).toBeVisible();
  expect(screen.getByRole('link', { name: 'Log in' })).toHaveAttribute('href', '/login?return=%2Fteam%2Fabc');
  expect(screen.getByRole('link', { name: 'Create a login' })).toHaveAttribute('href', '/sign-up?return=%2Fteam%2Fabc');
  expect(await accessibilityFaults(container)).toEqual([]);
});

test('accepting opens the account in its role; another mobile is refused in words', async () => {
  answer('get', '/team/invitations/{code}', invitation);
  refuse('post', '/team/invitations/{code}/accept', 409, { code: 'other_mobile', message: 'For another number.' });
  const { user } = renderRoutes(routes, { at: '/team/abc' });
  await user.click(await screen.findByRole('button', { name: 'Accept' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('For another number.');

  answer('post', '/team/invitations/{code}/accept', {
    id: 'a',
    name: 'Asha Sweets LLP',
    role: 'accountant',
    current: false,
  });
  const switched = answer(
    'post',
    '/accounts/switch',
    signedIn({ role: 'accountant', account_name: 'Asha Sweets LLP' }),
  );
  await user.click(screen.getByRole('button', { name: 'Accept' }));
  await waitFor(() => expect(openAfresh).toHaveBeenCalledWith('/subscription_list'));
  expect(switched.bodies).toEqual([{ account_id: 'a' }]);
  expect(getSession()).toMatchObject({ role: 'accountant', accountName: 'Asha Sweets LLP' });
});

test('an invitation that is over says what to do', async () => {
  refuse('get', '/team/invitations/{code}', 404, { code: 'no_invitation', message: 'No longer valid.' });
  renderRoutes(routes, { at: '/team/abc' });
  expect(await screen.findByText('This invitation is no longer valid.')).toBeVisible();
});

test('the accounts to choose from; leaving the one that is open signs out', async () => {
  startSession(franchiserUser({ role: 'manager', account_name: 'Asha Sweets LLP', franchiser_id: 'a' }));
  answer('get', '/accounts', [
    { id: 'own', name: '', role: 'owner', current: false },
    { id: 'a', name: 'Asha Sweets LLP', role: 'manager', current: true },
  ]);
  const { user, container } = renderRoutes(routes, { at: '/accounts' });
  expect(await screen.findByRole('heading', { name: /Your own account/ })).toBeVisible();
  expect(await accessibilityFaults(container)).toEqual([]);
  answer('post', '/accounts/switch', signedIn());
  await user.click(screen.getByRole('button', { name: 'Open Your own account' }));
  await waitFor(() => expect(openAfresh).toHaveBeenCalledWith('/pricing'));
  startSession(franchiserUser({ role: 'manager', account_name: 'Asha Sweets LLP', franchiser_id: 'a' }));
  answer('delete', '/accounts/{id}', null, 'You have left the account.');
  await user.click(screen.getByRole('button', { name: 'Leave Asha Sweets LLP' }));
  await user.click(await screen.findByRole('button', { name: 'Leave' }));
  await waitFor(() => expect(getSession().isAuthenticated).toBe(false));
});

test('the account that is opened begins at the screen that was asked for', async () => {
  answer('get', '/accounts', [
    { id: 'own', name: '', role: 'owner', current: true },
    { id: 'a', name: 'Asha Sweets LLP', role: 'accountant', current: false },
  ]);
  const { user } = renderRoutes(routes, { at: '/accounts?return=%2Fsubscription_list%3Fpage%3D2' });
  answer('post', '/accounts/switch', signedIn({ role: 'accountant', account_name: 'Asha Sweets LLP' }));
  await user.click(await screen.findByRole('button', { name: 'Open Asha Sweets LLP' }));
  await waitFor(() => expect(openAfresh).toHaveBeenLastCalledWith('/subscription_list?page=2'));
});

test.each([
  ['accountant', 'billing'],
  ['manager', 'store'],
] as const)('%s opens %s and is told of the rest', async (role, open) => {
  startSession(franchiserUser({ role, account_name: 'Asha Sweets LLP' }));
  const guarded = [
    {
      element: <RequireAuth />,
      children: [
        { element: <RequireOwner />, children: [{ path: 'owner', element: <h1>Inside</h1> }] },
        { element: <RequireBilling />, children: [{ path: 'billing', element: <h1>Inside</h1> }] },
        { element: <RequireStoreRole />, children: [{ path: 'store', element: <h1>Inside</h1> }] },
      ],
    },
  ];
  for (const area of ['owner', 'billing', 'store']) {
    const { unmount } = renderRoutes(guarded, { at: `/${area}` });
    const title = area === open ? 'Inside' : 'Your role does not include this';
    expect(await screen.findByRole('heading', { name: title, level: 1 })).toBeVisible();
    unmount();
  }
});

test('every kind of event has a sentence of its own', () => {
  const kinds = ['invited', 'resent', 'withdrawn', 'accepted', 'role_changed', 'removed', 'left'] as const;
  const said = kinds.map((kind) => eventText({ ...joined, kind }));
  expect(new Set(said).size).toBe(kinds.length);
  const act = { ...joined, kind: 'act' as const, operation: 'GET /api/franchise/subscription/invoice/:id' };
  expect(eventText({ ...act, outcome: 'done' })).toBe('Meera Shah opened a document.');
  expect(eventText({ ...act, outcome: 'refused' })).toMatch(/was refused/);
});
