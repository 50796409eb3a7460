import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { accessibilityFaults } from '@/testing/render';
import { openSecurity, profile, thisDevice } from '@/testing/security';
import { answer, refuse } from '@/testing/server';
// The page loads this lazily; importing it here makes it available at once.
import './dialogs';
import { SecurityPage } from './security-page';

const other = { ...thisDevice, id: '019ae0c2-9f00-7a11-8f00-4b1d2c3e4f51', current: false, device: 'Firefox on Linux' };

test('another session is ended from its row, one’s own is marked', async () => {
  const { user, container } = await openSecurity(<SecurityPage />, { sessions: [thisDevice, other] });
  const revoke = answer('delete', '/profile/sessions/{id}', null, 'The session has ended.');
  const end = await screen.findByRole('button', { name: 'End session on Firefox on Linux' });
  expect(screen.getByText('This device')).toBeVisible();
  expect(await accessibilityFaults(container)).toEqual([]);
  answer('get', '/profile/sessions', [thisDevice]);
  await user.click(end);
  expect(await screen.findByText('The session has ended.')).toBeVisible();
  expect(revoke.requests[0]?.url).toContain(other.id);
  await waitFor(() => expect(screen.queryByText('Firefox on Linux')).not.toBeInTheDocument());
});

test('everything else is signed out at once, and a refusal stays on the screen', async () => {
  const { user } = await openSecurity(<SecurityPage />, { sessions: [thisDevice, other] });
  refuse('delete', '/profile/sessions', 503, { message: 'Please try again in a minute.' });
  await user.click(await screen.findByRole('button', { name: 'Sign out everywhere else' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('Please try again in a minute.');
  answer('delete', '/profile/sessions', null, 'You are signed out everywhere else.');
  await user.click(screen.getByRole('button', { name: 'Sign out everywhere else' }));
  expect(await screen.findByText('You are signed out everywhere else.')).toBeVisible();
});

test('a part that fails to load says so by itself and is tried again', async () => {
  const { user } = await openSecurity(<SecurityPage />, { beside: () => refuse('get', '/profile/erasure', 500) });
  const failed = await screen.findByText('We could not load the state of your account.');
  expect(await screen.findByText('+91 98765 43210')).toBeVisible();
  answer('get', '/profile/erasure', {
    state: 'none',
    requested_at: null,
    erase_on: null,
    delay_days: 7,
    kept: [],
    owed: null,
  });
  await user.click(within(failed.parentElement as HTMLElement).getByRole('button', { name: 'Retry' }));
  expect(await screen.findByRole('button', { name: 'Erase your account' })).toBeVisible();
});

const sent = { resend_after: 59, expires_in: 600 };

test('the mobile changes with the password and the code sent to the new number', async () => {
  const { user } = await openSecurity(<SecurityPage />);
  await user.click(await screen.findByRole('button', { name: 'Change mobile number' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Change your mobile number' }));
  await user.click(dialog.getByRole('button', { name: 'Send code' }));
  expect(await dialog.findByRole('link', { name: 'New mobile number can not be empty.' })).toBeVisible();
  expect(dialog.getByRole('link', { name: 'Password can not be empty.' })).toBeVisible();
  expect(await accessibilityFaults(document.body)).toEqual([]);

  refuse('post', '/profile/mobile/otp', 400, {
    message: 'The password is wrong.',
    code: 'invalid_credentials',
    messages: { password: ['The password is wrong.'] },
  });
  await user.type(dialog.getByLabelText('New mobile number'), '+91 91234 56789');
  await user.type(dialog.getByLabelText('Password'), 'Wrong#2026');
  await user.click(dialog.getByRole('button', { name: 'Send code' }));
  await waitFor(() => expect(dialog.getByLabelText('Password')).toHaveAccessibleDescription(/The password is wrong/));
  expect(dialog.getByLabelText('New mobile number')).toHaveValue('+91 91234 56789');

  const request = answer('post', '/profile/mobile/otp', sent, 'We have sent a code to the new number.');
  await user.clear(dialog.getByLabelText('Password'));
  await user.type(dialog.getByLabelText('Password'), 'Mango#2026');
  await user.click(dialog.getByRole('button', { name: 'Send code' }));
  expect(await dialog.findByText('+91 91234 56789')).toBeVisible();
  expect(request.bodies).toEqual([{ mobile: '9123456789', password: 'Mango#2026' }]);
  await waitFor(() => expect(dialog.getByLabelText('Verification code')).toHaveFocus());

  refuse('post', '/profile/mobile', 400, {
    message: 'Please enter a valid code',
    code: 'otp_wrong',
    messages: { otp: ['Please enter a valid code'] },
  });
  await user.keyboard('000000{Enter}');
  await waitFor(() =>
    expect(dialog.getByLabelText('Verification code')).toHaveAccessibleDescription(/Please enter a valid code/),
  );

  const confirm = answer('post', '/profile/mobile', { ...profile, mobile: '9123456789' }, 'Mobile number changed.');
  answer('get', '/profile/details/profile', { ...profile, mobile: '9123456789' });
  await user.clear(dialog.getByLabelText('Verification code'));
  await user.type(dialog.getByLabelText('Verification code'), '123456{Enter}');
  expect(await screen.findByText('+91 91234 56789')).toBeVisible();
  expect(confirm.bodies).toEqual([{ mobile: '9123456789', otp: '123456' }]);
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
});

test('the e-mail changes with the password and a code to the mobile on file; what was typed is kept on the way back', async () => {
  const { user } = await openSecurity(<SecurityPage />);
  await user.click(await screen.findByRole('button', { name: 'Change email' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Change your e-mail' }));
  const request = answer('post', '/profile/email/otp', sent, 'We have sent a code to your mobile.');
  await user.type(dialog.getByLabelText('New e-mail'), 'new@example.in');
  await user.type(dialog.getByLabelText('Password'), 'Mango#2026{Enter}');
  expect(await dialog.findByText('+91 98765 43210')).toBeVisible();
  expect(request.bodies).toEqual([{ email: 'new@example.in', password: 'Mango#2026' }]);

  await user.click(dialog.getByRole('button', { name: 'Change email' }));
  expect(dialog.getByLabelText('New e-mail')).toHaveValue('new@example.in');
  expect(dialog.getByLabelText('Password')).toHaveValue('');
  refuse('post', '/profile/email/otp', 429, {
    message: 'Too many requests. Please try again later.',
    code: 'too_many_requests',
    retry_after: 40,
  });
  await user.type(dialog.getByLabelText('Password'), 'Mango#2026{Enter}');
  expect(await dialog.findByText(/You can try again in 40 seconds/)).toBeVisible();

  answer('post', '/profile/email/otp', sent, 'We have sent a code to your mobile.');
  await user.click(dialog.getByRole('button', { name: 'Send code' }));
  const confirm = answer('post', '/profile/email', { ...profile, email: 'new@example.in' }, 'E-mail changed.');
  await user.type(await dialog.findByLabelText('Verification code'), '123 456{Enter}');
  expect(await screen.findByText('E-mail changed.')).toBeVisible();
  expect(screen.getByText('new@example.in')).toBeVisible();
  expect(confirm.bodies).toEqual([{ email: 'new@example.in', otp: '123456' }]);
});

test('with an authenticator app the change of e-mail needs its code too', async () => {
  const { user } = await openSecurity(<SecurityPage />, { totp: true });
  await user.click(await screen.findByRole('button', { name: 'Change email' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Change your e-mail' }));
  const request = answer('post', '/profile/email/otp', sent, 'We have sent a code to your mobile.');
  await user.type(dialog.getByLabelText('New e-mail'), 'new@example.in');
  await user.type(dialog.getByLabelText('Password'), 'Mango#2026');
  await user.type(dialog.getByLabelText('Code'), '304 871{Enter}');
  expect(await dialog.findByText('+91 98765 43210')).toBeVisible();
  expect(request.bodies).toEqual([{ email: 'new@example.in', password: 'Mango#2026', code: '304871' }]);
});

test('reminders are turned off by channel, and a failure leaves them as they were', async () => {
  const { user } = await openSecurity(<SecurityPage />);
  const email = screen.getByRole('checkbox', { name: 'Reminders by e-mail' });
  expect(email).toBeChecked();
  refuse('put', '/message-preferences', 503, { message: 'Please try again.' });
  await user.click(email);
  expect(await screen.findByRole('alert')).toHaveTextContent('Please try again.');
  expect(email).toBeChecked();
  const { bodies } = answer(
    'put',
    '/message-preferences',
    { reminders_sms: true, reminders_email: false, whatsapp: null },
    'Saved.',
  );
  expect(screen.queryByText(/WhatsApp/)).not.toBeInTheDocument();
  email.focus();
  await user.keyboard(' ');
  expect(email).toBeEnabled();
  await waitFor(() => expect(email).not.toBeChecked());
  expect(email).toHaveFocus();
  expect(bodies).toEqual([{ reminders_sms: true, reminders_email: false }]);
});

const whatsapp = {
  enabled: false,
  language: 'en',
  version: 1,
  texts: { en: 'Send me messages by WhatsApp.', hi: 'मुझे WhatsApp संदेश भेजें।' },
};

test('the WhatsApp box starts unticked, shows its text in the chosen language, and saves the language and version shown', async () => {
  const { user } = await openSecurity(<SecurityPage />, {
    beside: () => answer('get', '/message-preferences', { reminders_sms: false, reminders_email: false, whatsapp }),
  });
  const box = screen.getByRole('checkbox', { name: 'Receipts and reminders by WhatsApp' });
  expect(box).not.toBeChecked();
  expect(box).toHaveAccessibleDescription('Send me messages by WhatsApp.');
  expect(screen.getByText(/You are then reminded on this site only/)).toBeVisible();
  refuse('put', '/message-preferences/whatsapp', 422, { message: 'The text has changed.' });
  await user.click(box);
  expect(await screen.findByRole('alert')).toHaveTextContent('The text has changed.');
  expect(box).not.toBeChecked();

  await user.click(screen.getByRole('radio', { name: 'हिन्दी' }));
  expect(box).toHaveAccessibleDescription('मुझे WhatsApp संदेश भेजें।');
  const saved = {
    reminders_sms: false,
    reminders_email: false,
    whatsapp: { ...whatsapp, enabled: true, language: 'hi' },
  };
  const { bodies } = answer('put', '/message-preferences/whatsapp', saved, 'Saved.');
  await user.click(box);
  await waitFor(() => expect(box).toBeChecked());
  expect(screen.queryByText(/You are then reminded on this site only/)).not.toBeInTheDocument();
  await user.click(screen.getByRole('radio', { name: 'English' }));
  await user.click(box);
  await waitFor(() => expect(bodies).toHaveLength(3));
  expect(bodies).toEqual([
    { enabled: true, language: 'hi', version: 1 },
    { enabled: true, language: 'en', version: 1 },
    { enabled: false, language: 'en', version: 1 },
  ]);
});
