import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { mock, ok, refused, server } from '@/testing/server';
import { typedProof, typeProof } from '../shell/console.fixture';
import { StaffPage } from './staff-page';
const account = (id: string, name: string, more: object = {}) => ({
  id,
  name,
  email: `${name.toLowerCase()}@example.in`,
  role: 'support',
  created_at: '2026-01-05T05:30:00Z',
  disabled_at: null,
  enrolled: true,
  last_sign_in: '2026-11-20T05:30:00Z',
  sessions: 1,
  ...more,
});
const sunita = account('s1', 'Sunita', { role: 'admin' });
const arun = account('s2', 'Arun');
const priya = account('s3', 'Priya', { disabled_at: '2026-11-01T05:30:00Z', last_sign_in: null });
const invitation = {
  id: 'i1',
  name: 'Meera',
  email: 'meera@example.in',
  role: 'finance',
  enrols: false,
  invited_by: 'Sunita',
  created_at: '2026-11-20T05:30:00Z',
  expires_at: '2099-11-23T05:30:00Z',
  sent_at: null,
  send_error: 'refused',
};
const reset = {
  id: 'r1',
  staff_id: 's2',
  requested_by: 's4',
  requested_by_name: 'Vikram',
  reason: 'The phone is lost',
  requested_at: '2026-11-20T05:30:00Z',
};

function page(role = 'admin', more: object = {}) {
  const bodies: [string, unknown][] = [];
  const take =
    <Data,>(data: Data, message = 'Done.') =>
    async ({ request }: { request: Request }) => {
      bodies.push([`${request.method} ${new URL(request.url).pathname}`, await request.json()]);
      return ok(data, message);
    };
  server.use(
    mock.get('/api/support/me', () => ok({ id: 's1', name: 'Sunita', email: 'sunita@example.in', role })),
    mock.get('/api/support/staff', () =>
      ok({ accounts: [sunita, arun, priya], invitations: [invitation], resets: [], emails: true, ...more }),
    ),
    mock.get('/api/support/staff/s2', () =>
      ok({
        sessions: [
          {
            id: 'x1',
            own: false,
            address: '203.0.113.0/24',
            created_at: '2026-11-20T05:30:00Z',
            seen_at: '2026-11-20T05:30:00Z',
          },
        ],
        sign_ins: [{ at: '2026-11-20T05:29:00Z', failed: true, reason: 'Wrong code from 203.0.113.0/24' }],
        passkeys: [{ id: 'k1', name: 'Phone', synced: true, created_at: '2026-11-20T05:30:00Z', last_used_at: null }],
      }),
    ),
    mock.post('/api/support/staff/s2/disable', take(null)),
    mock.post('/api/support/staff-resets/r1/approve', take({ url: null, emailed: true })),
    mock.post('/api/support/staff-sessions/x1/end', take(null)),
    mock.put('/api/support/staff/s2', take(null)),
    mock.post('/api/support/staff-invitations', take({ url: 'https://f.example/support/join#secret', emailed: false })),
  );
  return { bodies, ...renderRoutes(<StaffPage />) };
}

test('an admin sees who there is and what became of invitations, and disables an account with a reason', async () => {
  const { user, bodies, container } = page();
  expect(await screen.findByText('Not sent: the mail server refused it or cannot be reached')).toBeVisible();
  expect(screen.getByText('Disabled')).toBeVisible();
  expect(screen.getByText('Never')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Disable Sunita' })).not.toBeInTheDocument();
  expect(await accessibilityFaults(container)).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Disable Arun' }));
  const dialog = await screen.findByRole('dialog');
  await user.type(within(dialog).getByLabelText('Reason'), 'Left the company');
  await user.click(within(dialog).getByRole('button', { name: 'Disable' }));
  await waitFor(() => expect(bodies).toEqual([['POST /api/support/staff/s2/disable', { reason: 'Left the company' }]]));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
});

test.each([
  ['Being sent', true],
  ['Not sent by e-mail', false],
])('an invitation that no job has sent yet is shown as: %s', async (state, emails) => {
  page('admin', { invitations: [{ ...invitation, send_error: '' }], emails });
  expect(await screen.findByText(state)).toBeVisible();
});

test('a link that no mail server sent is shown once', async () => {
  const { user, bodies } = page();
  await user.click(await screen.findByRole('button', { name: 'Invite somebody' }));
  const dialog = await screen.findByRole('dialog');
  await user.type(within(dialog).getByLabelText('Name'), 'Kiran');
  await user.type(within(dialog).getByLabelText('E-mail'), 'kiran@example.in');
  await user.selectOptions(within(dialog).getByLabelText('Role'), 'auditor');
  await user.type(within(dialog).getByLabelText('Reason'), 'The yearly audit');
  await typeProof(user);
  expect(await screen.findByText('https://f.example/support/join#secret')).toBeVisible();
  expect(bodies.at(-1)?.[1]).toEqual({
    name: 'Kiran',
    email: 'kiran@example.in',
    role: 'auditor',
    reason: 'The yearly audit',
    ...typedProof,
  });
});

test('a reset is approved by password and code, and a wrong code is told', async () => {
  const { user, bodies } = page('admin', { resets: [reset] });
  await user.click(await screen.findByRole('button', { name: 'Approve Arun' }));
  const dialog = await screen.findByRole('dialog');
  server.use(
    mock.post(
      '/api/support/staff-resets/r1/approve',
      () =>
        refused(422, {
          message: 'Please check the marked fields.',
          code: 'validation_failed',
          messages: { current_code: ['This code is not right, or was used already. Wait for the next one.'] },
          request_id: 'r',
        }),
      { once: true },
    ),
  );
  await user.type(within(dialog).getByLabelText('Reason'), 'I called him');
  await typeProof(user);
  expect(await within(dialog).findByRole('alert')).toHaveTextContent('This code is not right');
  await user.click(within(dialog).getByRole('button', { name: 'Approve the reset' }));
  await waitFor(() =>
    expect(bodies).toEqual([['POST /api/support/staff-resets/r1/approve', { reason: 'I called him', ...typedProof }]]),
  );
});

test('another role, and the end of a session', async () => {
  const { user, bodies } = page();
  await user.click(await screen.findByRole('button', { name: 'Role of Arun' }));
  let dialog = await screen.findByRole('dialog');
  await user.selectOptions(within(dialog).getByLabelText('Role'), 'finance');
  await user.type(within(dialog).getByLabelText('Reason'), 'Moves to finance');
  await typeProof(user);
  await waitFor(() =>
    expect(bodies.at(-1)).toEqual([
      'PUT /api/support/staff/s2',
      { role: 'finance', reason: 'Moves to finance', ...typedProof },
    ]),
  );
  await user.click(await screen.findByRole('button', { name: 'Sign-ins of Arun' }));
  expect(await screen.findByText('Wrong code from 203.0.113.0/24')).toBeVisible();
  expect(screen.getByRole('list', { name: 'Passkeys' })).toHaveTextContent(
    /Phone, kept by a password manager.*not used yet/,
  );
  expect(screen.queryByRole('button', { name: /the passkey/ })).not.toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'End the session from 203.0.113.0/24' }));
  dialog = await screen.findByRole('dialog', { name: /End the session/ });
  await user.type(within(dialog).getByLabelText('Reason'), 'Not theirs');
  await user.click(within(dialog).getByRole('button', { name: 'End the session' }));
  await waitFor(() => expect(bodies.at(-1)?.[0]).toBe('POST /api/support/staff-sessions/x1/end'));
});

test.each([
  ['an admin other than who asked approves', reset, ['Approve Arun', 'Decline Arun'], []],
  ['who asked can only withdraw', { ...reset, requested_by: 's1' }, ['Withdraw Arun'], ['Approve Arun']],
  ['whose authenticator it is decides nothing', { ...reset, staff_id: 's1' }, [], ['Approve Sunita', 'Decline Sunita']],
])('a reset: %s', async (_, waiting, offered, kept) => {
  page('admin', { resets: [waiting] });
  expect(await screen.findByText(/The phone is lost/)).toBeVisible();
  for (const name of offered) expect(screen.getByRole('button', { name })).toBeVisible();
  for (const name of kept) expect(screen.queryByRole('button', { name })).not.toBeInTheDocument();
});

test('a reset possibly requested by the same person can only be declined', async () => {
  const tie = {
    staff_id: 's4',
    until: '2026-11-28T05:30:00Z',
    way: 'invited',
    opened_at: '2026-11-21T05:30:00Z',
    opened_name: 'Sunita',
    opened_by_name: 'Vikram',
  };
  server.use(mock.get('/api/support/account/ties', () => ok({ days: 7, ties: [tie] })));
  page('admin', { resets: [reset] });
  expect(await screen.findByText(/Vikram invited Sunita on/)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Approve Arun' })).toHaveAttribute('aria-disabled', 'true');
  expect(screen.getByRole('button', { name: 'Decline Arun' })).not.toHaveAttribute('aria-disabled', 'true');
});

test('an auditor reads and is offered nothing', async () => {
  page('auditor', { resets: [reset] });
  expect(await screen.findByText(/The phone is lost/)).toBeVisible();
  expect(screen.getAllByRole('button').map((one) => one.textContent)).toEqual([
    'Sign-ins of Sunita',
    'Sign-ins of Arun',
    'Sign-ins of Priya',
  ]);
});
