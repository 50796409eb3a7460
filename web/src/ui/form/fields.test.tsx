import { useState } from 'react';
import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { Link } from 'react-router';
import { otp, password, terms } from '@/lib/validation';
import { startSession } from '@/lib/session/session';
import { franchiserUser } from '@/testing/factories';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { CheckboxField } from './checkbox-field';
import { Form } from './form';
import { OtpField } from './otp-field';
import { PasswordField } from './password-field';
import { UnsavedChanges } from './unsaved-changes';
import { useAppForm } from './use-app-form';

const schema = z.object({ otp: otp(), password: password(), terms: terms() });
const sent = vi.fn();

function Screen({ focused, sends }: { focused?: boolean; sends?: number }) {
  const form = useAppForm({ schema, defaultValues: { otp: '', password: '', terms: false }, onSubmit: sent });
  return (
    <Form form={form} label="Sign up">
      <OtpField focused={focused} sends={sends} />
      <PasswordField autoComplete="new-password" rules />
      <CheckboxField name="terms" label="I agree" />
      <UnsavedChanges draftKey="test" />
      <button type="submit">Send</button>
      <Link to="/elsewhere">Leave</Link>
    </Form>
  );
}
function open(focused?: boolean) {
  sent.mockReset();
  return renderRoutes([{ path: 'form', element: <Screen focused={focused} /> }]);
}
const code = () => screen.getByLabelText('Verification code');
const word = () => screen.getByLabelText('Password');

afterEach(() => vi.unstubAllGlobals());

test('a code is pasted as it came, and sent without its space', async () => {
  const { user } = open(true);
  await waitFor(() => expect(code()).toHaveFocus());
  expect(code()).toHaveAttribute('autocomplete', 'one-time-code');
  await user.paste('code: 123 456');
  expect(code()).toHaveValue('123456');
  await user.type(word(), 'Mango#26');
  await user.click(screen.getByLabelText('I agree'));
  await user.click(screen.getByRole('button', { name: 'Send' }));
  await waitFor(() => expect(sent).toHaveBeenCalledTimes(1));
  expect(sent.mock.calls[0]?.[0]).toEqual({ otp: '123456', password: 'Mango#26', terms: true });
});

test('where the browser reads the SMS, its code is filled in', async () => {
  const signals: (AbortSignal | undefined)[] = [];
  vi.stubGlobal('OTPCredential', class {});
  vi.stubGlobal('navigator', {
    ...navigator,
    credentials: {
      get: ({ signal }: CredentialRequestOptions) => {
        signals.push(signal);
        return Promise.resolve({ code: '654321' });
      },
    },
  });
  const { unmount } = open();
  await waitFor(() => expect(code()).toHaveValue('654321'));
  unmount();
  expect(signals.at(-1)?.aborted).toBe(true);
});

test('a second code is read from its SMS too, after the field was emptied', async () => {
  const codes = ['654321', '123456'];
  vi.stubGlobal('OTPCredential', class {});
  vi.stubGlobal('navigator', {
    ...navigator,
    credentials: { get: () => Promise.resolve(codes.length > 0 ? { code: codes.shift() } : null) },
  });
  function Resending() {
    const [sends, setSends] = useState(0);
    return (
      <>
        <Screen sends={sends} />
        <button type="button" onClick={() => setSends((count) => count + 1)}>
          Resend
        </button>
      </>
    );
  }
  const { user } = renderRoutes([{ path: 'form', element: <Resending /> }]);
  await waitFor(() => expect(code()).toHaveValue('654321'));
  await user.click(screen.getByRole('button', { name: 'Resend' }));
  await waitFor(() => expect(code()).toHaveValue('123456'));
  await user.click(screen.getByRole('button', { name: 'Resend' }));
  await waitFor(() => expect(code()).toHaveValue(''));
});

test('a pasted SMS, or a code in Indian digits, becomes the six digits', async () => {
  const { user } = open(true);
  await waitFor(() => expect(code()).toHaveFocus());
  await user.paste('123456 is your Franchise 360 code. It is valid for 10 minutes.\n\n@localhost #123456');
  expect(code()).toHaveValue('123456');
  await user.clear(code());
  await user.type(code(), '१२३४५६');
  expect(code()).toHaveValue('123456');
});

test('where the browser may not read it, it is typed', async () => {
  vi.stubGlobal('OTPCredential', class {});
  vi.stubGlobal('navigator', { ...navigator, credentials: { get: () => Promise.reject(new Error('refused')) } });
  open();
  await act(async () => Promise.resolve());
  expect(code()).toHaveValue('');
});

test('a password is shown and hidden again, its rules ticked off while it is typed', async () => {
  const { user, container } = open();
  const rules = within(screen.getByRole('list', { name: 'Password rules' }));
  expect(rules.getByText('A digit')).toHaveTextContent('A digit, not met yet');
  await user.type(word(), 'mango2');
  expect(rules.getByText('A digit')).toHaveTextContent('A digit, met');
  expect(rules.getByText('An upper-case letter')).toHaveTextContent('not met yet');
  expect(word()).toHaveAttribute('type', 'password');
  await user.click(screen.getByRole('button', { name: 'Show password' }));
  expect(word()).toHaveAttribute('type', 'text');
  await user.click(screen.getByRole('button', { name: 'Hide password' }));
  expect(word()).toHaveAttribute('type', 'password');
  expect(word()).toHaveValue('mango2');
  expect(await accessibilityFaults(container)).toEqual([]);
});

test('terms that are not agreed to say so, at the box', async () => {
  const { user } = open();
  await user.type(code(), '123456');
  await user.type(word(), 'Mango#26');
  await user.click(screen.getByRole('button', { name: 'Send' }));
  const box = screen.getByLabelText('I agree');
  await waitFor(() => expect(box).toBeInvalid());
  expect(box).toHaveAccessibleDescription(/Please agree to terms & conditions/);
  await user.click(box);
  expect(box).toBeValid();
  expect(sent).not.toHaveBeenCalled();
});

test('what is not saved is not left without a question', async () => {
  startSession(franchiserUser());
  const { user } = open();
  await user.type(code(), '12');
  await user.click(screen.getByRole('link', { name: 'Leave' }));
  const dialog = await screen.findByRole('dialog', { name: 'You have unsaved changes' });
  await user.click(within(dialog).getByRole('button', { name: 'Keep editing' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(code()).toHaveValue('12');
  await user.click(screen.getByRole('link', { name: 'Leave' }));
  await user.click(await screen.findByRole('button', { name: 'Leave without saving' }));
  expect(await screen.findByTestId('address')).toHaveTextContent('/elsewhere');
});

test('a window with changes asks before it closes, one without does not', async () => {
  startSession(franchiserUser());
  const { user } = open();
  const closes = () => window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
  expect(closes()).toBe(true);
  await user.type(code(), '1');
  expect(closes()).toBe(false);
  await user.clear(code());
  expect(closes()).toBe(true);
});
