import { screen, waitFor } from '@testing-library/react';
import { getDefaultStore } from 'jotai';
import { beforeEach, describe, expect, it } from 'vitest';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { answer, refuse } from '@/testing/server';
import { codeSent, pendingCodeAtom } from '../state';
import { ForgotPasswordOtpPage } from './forgot-password-otp-page';
import { ForgotPasswordPage } from './forgot-password-page';
import { ResetPasswordPage } from './reset-password-page';

const routes = [
  { path: 'forgot-password', element: <ForgotPasswordPage /> },
  { path: 'forgot-password-otp', element: <ForgotPasswordOtpPage /> },
  { path: 'reset-password', element: <ResetPasswordPage /> },
];

beforeEach(() => getDefaultStore().set(pendingCodeAtom, null));

function withProof() {
  getDefaultStore().set(pendingCodeAtom, { ...codeSent('password', '9876543210', 59), verificationId: 'v'.repeat(24) });
  return renderRoutes(routes, { at: '/reset-password' });
}

describe('recovery', () => {
  it('leads from the mobile number over the code to a new password and the login', async () => {
    const requested = answer('post', '/password/reset-otp', { resend_after: 59, expires_in: 600 });
    const checked = answer('post', '/password/validate-otp', { otp_verification_id: 'v'.repeat(24) });
    const reset = answer('post', '/password/reset', null);
    const { user, container } = renderRoutes(routes, { at: '/forgot-password' });
    expect(await accessibilityFaults(container)).toEqual([]);

    expect(screen.getByRole('link', { name: 'I no longer have this number' })).toHaveAttribute(
      'href',
      '/helpcenter/lost-mobile-number',
    );
    await user.type(screen.getByLabelText('Mobile number'), '9876543210');
    await user.click(screen.getByRole('button', { name: 'Send code' }));
    await user.type(await screen.findByLabelText('Verification code'), '123456');
    expect(
      screen.getByText(/^If this mobile number has an account, a 6-digit code is on its way to/),
    ).toHaveTextContent('+91');
    expect(screen.queryByText(/We have sent/)).not.toBeInTheDocument();
    expect(await accessibilityFaults(container)).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Verify' }));

    await user.type(await screen.findByLabelText('New password'), 'Mango#2027');
    await user.type(screen.getByLabelText('Confirm password'), 'Mango#2027');
    expect(await accessibilityFaults(container)).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Reset password' }));
    expect(await screen.findByTestId('address')).toHaveTextContent('/login');

    expect(requested.bodies).toEqual([{ mobile: '9876543210' }]);
    expect(checked.bodies).toEqual([{ mobile: '9876543210', otp: '123456' }]);
    expect(reset.bodies).toEqual([
      {
        mobile: '9876543210',
        verification_id: 'v'.repeat(24),
        password: 'Mango#2027',
        password_confirmation: 'Mango#2027',
      },
    ]);
  });

  it('wants both passwords to be the same', async () => {
    const { user } = withProof();
    await user.type(screen.getByLabelText('New password'), 'Mango#2027');
    await user.type(screen.getByLabelText('Confirm password'), 'Mango#2028');
    await user.click(screen.getByRole('button', { name: 'Reset password' }));
    await waitFor(() =>
      expect(screen.getByLabelText('Confirm password')).toHaveAccessibleDescription(
        'Error: Password and confirm password should be the same',
      ),
    );
  });

  it('compares the passwords even where the first breaks a rule', async () => {
    const { user } = withProof();
    await user.type(screen.getByLabelText('New password'), 'short');
    await user.type(screen.getByLabelText('Confirm password'), 'other');
    await user.click(screen.getByRole('button', { name: 'Reset password' }));
    await waitFor(() =>
      expect(screen.getByLabelText('New password')).toHaveAccessibleDescription(/Password needs at least 8 characters/),
    );
    expect(screen.getByLabelText('Confirm password')).toHaveAccessibleDescription(
      'Error: Password and confirm password should be the same',
    );
  });

  it('wants both fields filled', async () => {
    const { user } = withProof();
    await user.click(screen.getByRole('button', { name: 'Reset password' }));
    await waitFor(() =>
      expect(screen.getByLabelText('New password')).toHaveAccessibleDescription(/New password can not be empty\./),
    );
    expect(screen.getByLabelText('Confirm password')).toHaveAccessibleDescription(
      'Error: Confirm password can not be empty.',
    );
  });

  it('says so where the proof is no longer good', async () => {
    refuse('post', '/password/reset', 400, {
      code: 'verification_invalid',
      message: 'This verification is used up. Request a new code.',
    });
    const { user } = withProof();
    await user.type(screen.getByLabelText('New password'), 'Mango#2027');
    await user.type(screen.getByLabelText('Confirm password'), 'Mango#2027');
    await user.click(screen.getByRole('button', { name: 'Reset password' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('This verification is used up. Request a new code.');
  });

  it('says that a code is on its way, and leads to where it is typed', async () => {
    getDefaultStore().set(pendingCodeAtom, codeSent('password', '9876543210', 59));
    const { user } = renderRoutes(routes, { at: '/forgot-password' });
    expect(screen.getByText(/^A code was requested/)).toHaveTextContent('+91');
    await user.click(screen.getByRole('link', { name: 'Enter the code' }));
    expect(await screen.findByLabelText('Verification code')).toBeVisible();
  });

  it.each(['/forgot-password-otp', '/reset-password'])('starts over at %s without a code on its way', async (at) => {
    renderRoutes(routes, { at });
    expect(await screen.findByRole('heading', { name: 'Forgot your password?' })).toBeInTheDocument();
  });
});
