import { act, screen, waitFor, within } from '@testing-library/react';
import { getDefaultStore } from 'jotai';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { getSession } from '@/lib/session/session';
import { signedIn } from '@/testing/factories';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { answer, refuse } from '@/testing/server';
import { codeSent, pendingCodeAtom, signUpPasswordAtom } from '../state';
import { OtpPage } from './otp-page';
import { FreeTrialPage, SignUpPage } from './sign-up-page';

const routes = [
  { path: 'sign-up', element: <SignUpPage /> },
  { path: 'start-free-trial', element: <FreeTrialPage /> },
  { path: 'otp', element: <OtpPage /> },
];

type View = ReturnType<typeof renderRoutes>;

beforeEach(() => {
  getDefaultStore().set(pendingCodeAtom, null);
  getDefaultStore().set(signUpPasswordAtom, '');
});

async function fill(
  { user }: View,
  change: Partial<Record<'email' | 'password' | 'mobile' | 'name', string>> = {},
  agree = true,
) {
  const { email = 'asha@example.in', password = 'Mango#2026', mobile = '9876543210', name } = change;
  if (name) await user.type(screen.getByLabelText('Name'), name);
  if (email) await user.type(screen.getByLabelText('Email'), email);
  if (password) await user.type(screen.getByLabelText('Password'), password);
  if (mobile) await user.type(screen.getByLabelText('Mobile number'), mobile);
  if (agree) await user.click(screen.getByRole('checkbox'));
}

const submit = ({ user }: View, name = 'Sign up') => user.click(screen.getByRole('button', { name }));
const describedAs = (label: string) => expect(screen.getByLabelText(label));

describe('sign-up', () => {
  it('breaks no accessibility rule, empty and with errors', async () => {
    const view = renderRoutes(routes, { at: '/sign-up' });
    expect(await accessibilityFaults(view.container)).toEqual([]);
    await submit(view);
    await screen.findByRole('alert');
    expect(await accessibilityFaults(view.container)).toEqual([]);
  });

  it('says what is missing on every field, and the terms also as a toast', async () => {
    const view = renderRoutes(routes, { at: '/sign-up' });
    await submit(view);
    const summary = await screen.findByRole('alert');
    expect(
      within(summary)
        .getAllByRole('link')
        .map((link) => link.textContent),
    ).toEqual([
      'Email can not be empty.',
      'Password can not be empty.',
      'Mobile number can not be empty.',
      'Please agree to terms & conditions',
    ]);
    expect(
      within(screen.getByRole('status', { name: 'Messages' })).getByText('Please agree to terms & conditions'),
    ).toBeInTheDocument();
  });

  it.each([
    ['email', 'asha', 'Email', 'Please enter your valid email id'],
    ['email', 'asha@example', 'Email', 'Please enter your valid email id'],
    ['email', 'asha@example.in ', 'Email', ''],
    ['password', 'Ab1#', 'Password', 'Password needs at least 8 characters'],
    ['password', 'Ab1#'.repeat(33), 'Password', 'Password is too long'],
    ['password', 'four words of mine', 'Password', ''],
    ['password', 'My9876543210#', 'Password', 'Password must not contain your name, mobile number or e-mail'],
    ['password', 'mango#2026', 'Password', 'Password must contain at least one upper-case letter'],
    ['password', 'MANGO#2026', 'Password', 'Password must contain at least one upper-case letter'],
    ['password', 'Mango#Mango', 'Password', 'Password must contain at least one upper-case letter'],
    ['password', 'Mango2026', 'Password', 'Password must contain at least one upper-case letter'],
    ['mobile', '98765', 'Mobile number', 'Please enter valid number'],
  ])('judges the %s "%s"', async (field, value, label, message) => {
    refuse('post', '/register', 503);
    const view = renderRoutes(routes, { at: '/sign-up' });
    await fill(view, { [field]: value });
    await submit(view);
    await screen.findByRole('alert');
    if (message) await waitFor(() => describedAs(label).toHaveAccessibleDescription(expect.stringContaining(message)));
    else describedAs(label).toBeValid();
    describedAs(label).toHaveValue(value.trim());
  });

  it('ticks the password rules off while typing', async () => {
    const view = renderRoutes(routes, { at: '/sign-up' });
    await view.user.type(screen.getByLabelText('Password'), 'Mango2026');
    const rules = within(screen.getByRole('list', { name: 'Password rules' })).getAllByRole('listitem');
    expect(rules.map((rule) => rule.textContent)).toEqual([
      '8 characters or more, met',
      'An upper-case letter, met',
      'A lower-case letter, met',
      'A digit, met',
      'A special character, not met yet',
      'No spaces, met',
    ]);
  });

  it('creates the account with the code and asks for the address next', async () => {
    const started = answer('post', '/register', { resend_after: 59, expires_in: 600 });
    const view = renderRoutes(routes, { at: '/sign-up?return=%2Fplan%2Fgrowth%2Fannual%2F1' });
    await fill(view, { mobile: '+91 98765-43210' });
    await submit(view);
    const dialog = await screen.findByRole('dialog', { name: 'Verify your mobile number' });
    expect(started.bodies).toEqual([{ mobile: '9876543210', email: 'asha@example.in', password: 'Mango#2026' }]);
    expect(started.requests[0]?.headers.get('Idempotency-Key')).toMatch(/^[0-9a-f]{32}$/);
    expect(dialog).toHaveTextContent('+91 98765 43210');
    expect(await accessibilityFaults(dialog)).toEqual([]);

    const checked = answer('post', '/mobile/validate-otp', { otp_verification_id: 'v'.repeat(24) });
    const confirmed = answer('post', '/register', signedIn());
    await view.user.type(within(dialog).getByLabelText('Verification code'), '123 456');
    await view.user.click(within(dialog).getByRole('button', { name: 'Verify' }));
    expect(await screen.findByTestId('address')).toHaveTextContent(
      '/store-details/address?return=%2Fplan%2Fgrowth%2Fannual%2F1',
    );
    expect(checked.bodies).toEqual([{ mobile: '9876543210', otp: '123456' }]);
    expect(confirmed.bodies).toEqual([{ mobile: '9876543210', verification_id: 'v'.repeat(24) }]);
    expect(getSession()).toMatchObject({ isAuthenticated: true, isActive: false });
  });

  it('puts the server’s objections on their fields', async () => {
    refuse('post', '/register', 422, { messages: { email: ['Please enter your valid email id'] } });
    const view = renderRoutes(routes, { at: '/sign-up' });
    await fill(view);
    await submit(view);
    await waitFor(() => describedAs('Email').toHaveAccessibleDescription(/Please enter your valid email id/));
    describedAs('Password').toHaveValue('Mango#2026');
  });

  it('keeps what was typed through a reload, the password excepted', async () => {
    const view = renderRoutes(routes, { at: '/sign-up' });
    await fill(view, {}, false);
    view.unmount();
    renderRoutes(routes, { at: '/sign-up' });
    describedAs('Email').toHaveValue('asha@example.in');
    describedAs('Password').toHaveValue('');
    expect(JSON.stringify({ ...sessionStorage, ...localStorage })).not.toContain('Mango#2026');
  });
});

describe('free trial', () => {
  it.each([
    ['A', 'Please use at least 2 characters'],
    ['Asha!', "Please use letters, spaces and . ' - only"],
    ['A'.repeat(40), 'Name should be under 40 characters'],
  ])('judges the name "%s"', async (name, message) => {
    const view = renderRoutes(routes, { at: '/start-free-trial' });
    await fill(view, { name });
    await submit(view, 'Start free trial');
    await waitFor(() => describedAs('Name').toHaveAccessibleDescription(`Error: ${message}`));
  });

  it('takes digits out of the name and sends it with free_trial', async () => {
    const sent = answer('post', '/register', { resend_after: 59, expires_in: 600 });
    const view = renderRoutes(routes, { at: '/start-free-trial' });
    await fill(view, { name: 'As2ha' });
    await submit(view, 'Start free trial');
    await screen.findByRole('dialog');
    expect(sent.bodies).toEqual([
      { mobile: '9876543210', email: 'asha@example.in', password: 'Mango#2026', first_name: 'Asha', free_trial: 1 },
    ]);
  });
});

describe('the code beside the form', () => {
  beforeEach(() => vi.useFakeTimers({ shouldAdvanceTime: true }));
  afterEach(() => vi.useRealTimers());

  it.each([
    ['closed', /Close/],
    ['left for the form', /Change/],
  ])('can still be typed after its dialog was %s', async (_name, button) => {
    answer('post', '/register', { resend_after: 59, expires_in: 600 });
    const view = renderRoutes(routes, { at: '/sign-up' });
    await fill(view);
    await submit(view);
    await view.user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: button }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(await accessibilityFaults(view.container)).toEqual([]);
    await view.user.click(screen.getByRole('button', { name: 'Enter the code' }));
    expect(await screen.findByLabelText('Verification code')).toBeInTheDocument();
  });

  it('opens again if the form is sent again too soon; another mobile sees the reason', async () => {
    answer('post', '/register', { resend_after: 59, expires_in: 600 });
    const view = renderRoutes(routes, { at: '/sign-up' });
    await fill(view);
    await submit(view);
    await view.user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: /Close/ }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    refuse('post', '/register', 429, {
      message: 'Too many requests. You can try again in 57 seconds.',
      retry_after: 57,
    });
    await submit(view);
    expect(await screen.findByRole('dialog')).toHaveTextContent('+91 98765 43210');
    expect(screen.getByText(/already on its way/)).toBeInTheDocument();

    await view.user.click(within(screen.getByRole('dialog')).getByRole('button', { name: /Close/ }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    await view.user.clear(screen.getByLabelText('Mobile number'));
    await view.user.type(screen.getByLabelText('Mobile number'), '9876500000');
    await submit(view);
    expect(await screen.findByRole('alert')).toHaveTextContent('Too many requests');
  });

  it('keeps the typed form until the account exists, then forgets it', async () => {
    answer('post', '/register', { resend_after: 59, expires_in: 600 });
    const view = renderRoutes(routes, { at: '/sign-up' });
    await fill(view);
    await submit(view);
    await screen.findByRole('dialog');
    view.unmount();
    const { user } = renderRoutes(routes, { at: '/sign-up' });
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: /Change/ }));
    describedAs('Email').toHaveValue('asha@example.in');

    act(() => getDefaultStore().set(pendingCodeAtom, codeSent('sign-up', '9876543210', 59)));
    answer('post', '/mobile/validate-otp', { otp_verification_id: 'v'.repeat(24) });
    answer('post', '/register', signedIn());
    await user.type(await screen.findByLabelText('Verification code'), '123456{Enter}');
    await screen.findByTestId('address');
    expect(sessionStorage.getItem('franchise360-draft-sign-up')).toBeNull();
  });
});
