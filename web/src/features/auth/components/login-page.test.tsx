import { screen, waitFor, within } from '@testing-library/react';
import { getDefaultStore } from 'jotai';
import { describe, expect, it } from 'vitest';
import { endSession, getSession, startSession } from '@/lib/session/session';
import { toast, toastsAtom } from '@/lib/toast';
import { franchiserUser, signedIn } from '@/testing/factories';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { answer, refuse } from '@/testing/server';
import { LoginPage } from './login-page';

function setup(at = '/login') {
  return renderRoutes([{ path: 'login', element: <LoginPage /> }], { at });
}

async function fill({ user }: ReturnType<typeof setup>, mobile = '98765 43210', password = 'Mango#2026') {
  if (mobile) await user.type(screen.getByLabelText('Mobile number'), mobile);
  if (password) await user.type(screen.getByLabelText('Password'), password);
  await user.click(screen.getByRole('button', { name: 'Login' }));
}

describe('login', () => {
  it('names the page and breaks no accessibility rule', async () => {
    const { container } = setup();
    expect(document.title).toBe('Login – Franchise 360');
    expect(await accessibilityFaults(container)).toEqual([]);
  });

  it('leads to help for people who lost their number', () => {
    setup();
    expect(screen.getByRole('link', { name: 'I no longer have this number' })).toHaveAttribute(
      'href',
      '/helpcenter/lost-mobile-number',
    );
  });

  it('says on each empty field and in the focused summary what is missing', async () => {
    const view = setup();
    await fill(view, '', '');
    const summary = await screen.findByRole('alert');
    await waitFor(() => expect(summary).toHaveFocus());
    expect(
      within(summary)
        .getAllByRole('link')
        .map((link) => link.textContent),
    ).toEqual(['Mobile number can not be empty.', 'Password can not be empty.']);
    expect(screen.getByLabelText('Mobile number')).toHaveAccessibleDescription(/Mobile number can not be empty\./);
    expect(screen.getByLabelText('Mobile number')).toBeInvalid();
    expect(await accessibilityFaults(view.container)).toEqual([]);
  });

  it('leads from the summary to the field', async () => {
    const view = setup();
    await fill(view, '', 'x');
    await view.user.click(await screen.findByRole('link', { name: 'Mobile number can not be empty.' }));
    expect(screen.getByLabelText('Mobile number')).toHaveFocus();
  });

  it.each([
    ['987654321', 'Please enter valid number'],
    ['98765432101234', 'Please enter valid number'],
    ['1234567890', 'Invalid: mobile numbers start with 6, 7, 8 or 9'],
  ])('answers the mobile number %s with "%s" and keeps the input', async (mobile, message) => {
    const view = setup();
    await fill(view, mobile);
    expect(await screen.findByLabelText('Mobile number')).toHaveAccessibleDescription(`Error: ${message}`);
    expect(screen.getByLabelText('Mobile number')).toHaveValue(mobile);
    expect(screen.getByLabelText('Password')).toHaveValue('Mango#2026');
  });

  it('removes letters from the mobile number as typed', async () => {
    const { user } = setup();
    await user.type(screen.getByLabelText('Mobile number'), '98a76b');
    expect(screen.getByLabelText('Mobile number')).toHaveValue('9876');
  });

  it('clears an error as soon as the field is mended', async () => {
    const view = setup();
    await fill(view, '987654321');
    await screen.findByText('Please enter valid number', { selector: '.field-error span' });
    await view.user.type(screen.getByLabelText('Mobile number'), '0');
    await waitFor(() => expect(screen.getByLabelText('Mobile number')).toBeValid());
  });

  it.each([
    ['subscription_price', '/pricing'],
    ['subscription_store', '/store-details'],
    ['subscription_dashboard', '/dashboard'],
  ] as const)('follows %s to %s', async (redirect_to, path) => {
    const sent = answer('post', '/login', signedIn({ redirect_to, is_active: true }), 'Welcome back.');
    const view = setup();
    await view.user.click(screen.getByLabelText('Remember me'));
    await fill(view, '+91 98765 43210');
    expect(await screen.findByTestId('address')).toHaveTextContent(path);
    expect(sent.bodies).toEqual([{ username: '9876543210', password: 'Mango#2026', remember: true }]);
    expect(getSession()).toMatchObject({ isAuthenticated: true, isActive: redirect_to !== 'subscription_price' });
    expect(screen.getByText('Welcome back.')).toBeInTheDocument();
  });

  it('returns to the requested screen', async () => {
    answer('post', '/login', signedIn({ redirect_to: 'subscription_dashboard', is_active: true }));
    const view = setup('/login?return=%2Fsubscription_list%3Fpage%3D2');
    await fill(view);
    expect(await screen.findByTestId('address')).toHaveTextContent('/subscription_list?page=2');
  });

  it('leads who may act in others’ accounts to the choice of one, and keeps the screen asked for', async () => {
    answer(
      'post',
      '/login',
      signedIn({ redirect_to: 'subscription_dashboard', is_active: true, other_accounts: true }),
    );
    const view = setup('/login?return=%2Fsubscription_list%3Fpage%3D2');
    await fill(view);
    expect(await screen.findByTestId('address')).toHaveTextContent('/accounts?return=%2Fsubscription_list%3Fpage%3D2');
    expect(getSession().otherAccounts).toBe(true);
  });

  it('shows a refusal where the person is looking, and keeps what was typed', async () => {
    refuse('post', '/login', 400, {
      code: 'invalid_credentials',
      message: 'The mobile number or the password is wrong.',
    });
    const view = setup();
    await fill(view);
    expect(await screen.findByRole('alert')).toHaveTextContent('The mobile number or the password is wrong.');
    expect(screen.getByLabelText('Mobile number')).toHaveValue('98765 43210');
    expect(getSession().isAuthenticated).toBe(false);
  });

  it('puts the server’s field messages on their fields', async () => {
    refuse('post', '/login', 422, { messages: { username: ['Please enter valid number'] } });
    const view = setup();
    await fill(view);
    await waitFor(() =>
      expect(screen.getByLabelText('Mobile number')).toHaveAccessibleDescription('Error: Please enter valid number'),
    );
  });

  it('says when to try again after too many tries', async () => {
    refuse('post', '/login', 429, { retry_after: 42 });
    const view = setup();
    await fill(view);
    expect(await screen.findByRole('alert')).toHaveTextContent('You can try again in 42 seconds.');
  });

  it('says when to try again while more people log in than can be let in at once', async () => {
    refuse('post', '/login', 503, { code: 'busy', retry_after: 2 });
    const view = setup();
    await fill(view);
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'Many people are signing in at this moment. Nothing was changed: please try again in 2 seconds.',
    );
    expect(screen.getByLabelText('Password')).toHaveValue('Mango#2026');
  });

  it('asks for the authenticator’s code where the account has one', async () => {
    answer('post', '/login', { totp_required: true, totp_token: 't'.repeat(20), expires_in: 300 });
    const sent = answer('post', '/login/totp', signedIn({ redirect_to: 'subscription_dashboard', is_active: true }));
    const view = setup();
    await fill(view);
    const code = await screen.findByLabelText('Code');
    await view.user.click(screen.getByRole('button', { name: 'Verify' }));
    expect(await screen.findByText('Code can not be empty.', { selector: '.field-error span' })).toBeInTheDocument();
    await view.user.type(code, '12345');
    await view.user.click(screen.getByRole('button', { name: 'Verify' }));
    expect(code).toHaveAccessibleDescription(/Please enter a valid code/);
    await view.user.type(code, '6');
    await view.user.click(screen.getByRole('button', { name: 'Verify' }));
    expect(await screen.findByTestId('address')).toHaveTextContent('/dashboard');
    expect(sent.bodies).toEqual([{ totp_token: 't'.repeat(20), code: '123456' }]);
  });

  it('says why the last session ended', () => {
    endSession('Unauthorized! Please log in again.');
    setup();
    expect(screen.getByRole('alert')).toHaveTextContent('Unauthorized! Please log in again.');
  });

  it('shows why the last session ended in the notice alone, without the toast', () => {
    endSession('Unauthorized! Please log in again.');
    toast.error('Unauthorized! Please log in again.');
    toast.error('No connection.');
    setup();
    expect(getDefaultStore().get(toastsAtom)).toMatchObject([{ message: 'No connection.' }]);
  });

  it('sends who is signed in already to their own screens', async () => {
    startSession(franchiserUser({ is_active: true, has_store_details: true }));
    setup();
    expect(await screen.findByTestId('address')).toHaveTextContent('/dashboard');
  });

  it('shows the password on demand', async () => {
    const { user } = setup();
    await user.click(screen.getByRole('button', { name: 'Show password' }));
    expect(screen.getByLabelText('Password')).toHaveAttribute('type', 'text');
    await user.click(screen.getByRole('button', { name: 'Hide password' }));
    expect(screen.getByLabelText('Password')).toHaveAttribute('type', 'password');
  });
});
