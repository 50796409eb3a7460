import { act, screen, waitFor, within } from '@testing-library/react';
import { getDefaultStore } from 'jotai';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startSession } from '@/lib/session/session';
import { toastsAtom } from '@/lib/toast';
import { franchiserUser, signedIn } from '@/testing/factories';
import { passTime } from '@/testing/pass-time';
import { renderRoutes } from '@/testing/render';
import { answer, refuse } from '@/testing/server';
import { CODE_CHANNEL, codeSent, pendingCodeAtom, signUpPasswordAtom } from '../state';
import { ForgotPasswordOtpPage } from './forgot-password-otp-page';
import { OtpPage } from './otp-page';
import { FreeTrialPage, SignUpPage } from './sign-up-page';

const routes = [
  { path: 'sign-up', element: <SignUpPage /> },
  { path: 'start-free-trial', element: <FreeTrialPage /> },
  { path: 'otp', element: <OtpPage /> },
  { path: 'forgot-password-otp', element: <ForgotPasswordOtpPage /> },
  { path: 'pricing', element: <h1>Plans and Pricing</h1> },
];

beforeEach(() => {
  getDefaultStore().set(pendingCodeAtom, null);
  getDefaultStore().set(signUpPasswordAtom, '');
});

const describedAs = (label: string) => expect(screen.getByLabelText(label));

describe('the code', () => {
  beforeEach(() => vi.useFakeTimers({ shouldAdvanceTime: true }));
  afterEach(() => vi.useRealTimers());

  function waiting(at = '/otp') {
    getDefaultStore().set(pendingCodeAtom, codeSent('sign-up', '9876543210', 59));
    return renderRoutes(routes, { at });
  }

  it('counts 59 seconds down as mm:ss, then offers Resend, which starts anew', async () => {
    getDefaultStore().set(signUpPasswordAtom, 'Mango#2026');
    const sent = answer('post', '/otp/resend-otp', { resend_after: 59, expires_in: 600 });
    const { user } = waiting();
    expect(screen.getByText('00:59')).toBeInTheDocument();
    passTime(57_000);
    expect(screen.getByText(/^00:0[12]$/)).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Resend' })).not.toBeInTheDocument();
    passTime(3_000);
    expect(screen.getByText('You can resend now')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Resend' }));
    expect(await screen.findByText(/^00:5\d$/)).toBeInTheDocument();
    expect(sent.bodies).toEqual([{ mobile: '9876543210', password: 'Mango#2026' }]);
  });

  it('is sent again without the password after a reload', async () => {
    const sent = answer('post', '/mobile/otp', { resend_after: 59, expires_in: 600 });
    const { user } = waiting();
    passTime(60_000);
    await user.click(screen.getByRole('button', { name: 'Resend' }));
    await waitFor(() => expect(sent.bodies).toEqual([{ mobile: '9876543210' }]));
  });

  it('waits as long as the server wants where it refuses', async () => {
    refuse('post', '/mobile/otp', 429, { retry_after: 30 });
    const { user } = waiting();
    passTime(60_000);
    await user.click(screen.getByRole('button', { name: 'Resend' }));
    expect(await screen.findByText(/^00:[23]\d$/)).toBeInTheDocument();
  });

  it('says where one is looking that no other code was sent, until the next try', async () => {
    refuse('post', '/mobile/otp', 503, { message: 'Please try again in a minute.' });
    const { user } = waiting();
    passTime(60_000);
    await user.click(screen.getByRole('button', { name: 'Resend' }));
    expect(await screen.findByRole('alert')).toHaveTextContent(/^No new code was sent\. /);
    expect(getDefaultStore().get(toastsAtom)).toEqual([]);
    answer('post', '/mobile/otp', { resend_after: 59, expires_in: 600 });
    await user.click(screen.getByRole('button', { name: 'Resend' }));
    await waitFor(() => expect(screen.queryByRole('alert')).not.toBeInTheDocument());
  });

  it.each(['', '12345', '1234567'])('"%s" is not a code', async (code) => {
    const { user } = waiting();
    if (code) await user.type(screen.getByLabelText('Verification code'), code);
    await user.click(screen.getByRole('button', { name: 'Verify' }));
    const message = code ? 'Please enter a valid code' : 'Code can not be empty.';
    await waitFor(() => describedAs('Verification code').toHaveAccessibleDescription(expect.stringContaining(message)));
  });

  it('tells a wrong code from an expired one', async () => {
    refuse('post', '/mobile/validate-otp', 400, {
      code: 'otp_wrong',
      message: 'This code is wrong. You have 4 tries left.',
    });
    const { user } = waiting();
    await user.type(screen.getByLabelText('Verification code'), '111111');
    await user.click(screen.getByRole('button', { name: 'Verify' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('This code is wrong.');
    refuse('post', '/mobile/validate-otp', 400, {
      code: 'otp_expired',
      message: 'This code has expired. Request a new one.',
    });
    await user.click(screen.getByRole('button', { name: 'Verify' }));
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('This code has expired.'));
    describedAs('Verification code').toHaveValue('111111');
  });

  it('keeps the server’s objection on the field until the code is changed', async () => {
    refuse('post', '/mobile/validate-otp', 400, {
      code: 'otp_wrong',
      message: 'Please enter a valid code',
      messages: { otp: ['This code is wrong.'] },
    });
    const { user } = waiting();
    await user.type(screen.getByLabelText('Verification code'), '111111{Enter}');
    await waitFor(() => expect(screen.getByRole('alert')).toHaveFocus());
    describedAs('Verification code').toHaveAccessibleDescription(/Error: This code is wrong\./);
    await user.type(screen.getByLabelText('Verification code'), '{Backspace}2');
    describedAs('Verification code').toBeValid();
  });

  it('is not verified twice if only the next step failed', async () => {
    const checked = answer('post', '/mobile/validate-otp', { otp_verification_id: 'v'.repeat(24) });
    refuse('post', '/register', 503, { message: 'Please try again in a minute.' });
    const { user } = waiting();
    await user.type(screen.getByLabelText('Verification code'), '123456');
    await user.click(screen.getByRole('button', { name: 'Verify' }));
    await screen.findByRole('alert');
    answer('post', '/register', signedIn());
    await user.click(screen.getByRole('button', { name: 'Verify' }));
    expect(await screen.findByTestId('address')).toHaveTextContent('/store-details/address');
    expect(checked.bodies).toHaveLength(1);
  });

  it('comes back after a reload of the sign-up, and Change leads to the form', async () => {
    const { user } = waiting('/sign-up');
    const dialog = await screen.findByRole('dialog');
    await user.click(within(dialog).getByRole('button', { name: /Change/ }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  });

  it('waits on its own page after the dialog was closed', async () => {
    getDefaultStore().set(pendingCodeAtom, { ...codeSent('sign-up', '9876543210', 59), putAside: true });
    renderRoutes(routes, { at: '/otp' });
    expect(await screen.findByLabelText('Verification code')).toBeInTheDocument();
  });

  it('points to the sign-up if no code is pending', () => {
    renderRoutes(routes, { at: '/otp' });
    expect(screen.getByRole('link', { name: 'Go to sign-up' })).toHaveAttribute('href', '/sign-up');
  });
});

describe('another tab', () => {
  const step = () => codeSent('sign-up', '9876543210', 59);
  let other: BroadcastChannel;
  let heard: unknown[];
  beforeEach(() => {
    sessionStorage.clear();
    heard = [];
    other = new BroadcastChannel(CODE_CHANNEL);
    other.onmessage = ({ data }) => heard.push(data);
  });
  afterEach(() => other.close());

  it('that has begun a sign-up is asked, and its code can be typed here', async () => {
    other.onmessage = ({ data }) => data === 'ask' && other.postMessage(step());
    renderRoutes(routes, { at: '/sign-up' });
    const dialog = await screen.findByRole('dialog', { name: 'Verify your mobile number' });
    expect(within(dialog).getByText(/We have sent a 6-digit code to/)).toHaveTextContent('+91');
  });

  it('learns which code is pending, but not the proof of an entered code', async () => {
    getDefaultStore().set(pendingCodeAtom, step());
    renderRoutes(routes, { at: '/otp' });
    other.postMessage('ask');
    await waitFor(() =>
      expect(heard).toContainEqual(expect.objectContaining({ mobile: '9876543210', purpose: 'sign-up' })),
    );
    act(() => getDefaultStore().set(pendingCodeAtom, { ...step(), verificationId: 'v'.repeat(24) }));
    other.postMessage('ask');
    await waitFor(() => expect(heard.at(-1)).toBeNull());
    expect(JSON.stringify(heard)).not.toContain('vvv');
  });

  it('that asks for a newer code starts the countdown here too, and ends the step when it is through', async () => {
    getDefaultStore().set(pendingCodeAtom, { ...step(), resendAt: Date.now() });
    renderRoutes(routes, { at: '/otp' });
    expect(await screen.findByText('You can resend now')).toBeInTheDocument();
    other.postMessage({ ...step(), startedAt: Date.now() + 1 });
    expect(await screen.findByText(/^00:\d\d$/)).toBeInTheDocument();
    other.postMessage(null);
    expect(await screen.findByText(/^Your code was entered in another tab/)).toBeVisible();
    act(() => startSession(franchiserUser({ is_active: false })));
    expect(await screen.findByRole('heading', { name: 'Plans and Pricing' })).toBeVisible();
  });

  it.each(['/sign-up', '/start-free-trial'])('that finishes the sign-up takes %s along', async (at) => {
    getDefaultStore().set(pendingCodeAtom, { ...step(), purpose: at === '/sign-up' ? 'sign-up' : 'free-trial' });
    renderRoutes(routes, { at });
    await screen.findByRole('dialog', { name: 'Verify your mobile number' });
    other.postMessage(null);
    expect(await screen.findByText(/^Your code was entered in another tab/)).toBeVisible();
    act(() => startSession(franchiserUser({ is_active: false })));
    expect(await screen.findByRole('heading', { name: 'Plans and Pricing' })).toBeVisible();
  });

  it('that takes a password code says so instead of asking for the mobile again', async () => {
    getDefaultStore().set(pendingCodeAtom, { ...step(), purpose: 'password' });
    renderRoutes(routes, { at: '/forgot-password-otp' });
    await screen.findByText(/If this mobile number has an account/);
    other.postMessage(null);
    expect(await screen.findByText(/^Your code was entered in another tab/)).toBeVisible();
    expect(screen.getByRole('link', { name: 'ask for a new code' })).toHaveAttribute('href', '/forgot-password');
  });

  it.each([
    'ask',
    5,
    {},
    { mobile: 5, purpose: 'sign-up' },
    { mobile: '9876543210', purpose: 'other', startedAt: Date.now(), resendAt: 0 },
  ])('that says %j changes nothing', async (message) => {
    renderRoutes(routes, { at: '/otp' });
    other.postMessage(message);
    await waitFor(() => expect(screen.getByRole('link', { name: 'Go to sign-up' })).toBeVisible());
    expect(getDefaultStore().get(pendingCodeAtom)).toBeNull();
  });
});
