import { t } from '@lingui/core/macro';
import { useAtomValue } from 'jotai';
import { useEffect } from 'react';
import { Link } from 'react-router';
import * as z from 'zod/mini';
import { CheckboxField } from '@/ui/form/checkbox-field';
import { Form, SubmitButton } from '@/ui/form/form';
import { PasswordField } from '@/ui/form/password-field';
import { MobileField } from '@/ui/form/text-field';
import { useAppForm } from '@/ui/form/use-app-form';
import { Notice } from '@/ui/notice';
import type { components } from '@/lib/api/schema.gen';
import { sessionNoticeAtom } from '@/lib/session/session';
import { withdrawToast } from '@/lib/toast';
import { currentPassword, mobile } from '@/lib/validation';
import { useLogin } from '../api/login';

export type SignedIn = components['schemas']['SignedIn'];

const schema = z.object({ mobile: mobile(), password: currentPassword(), remember: z.boolean() });
const empty = { mobile: '', password: '', remember: false };
const aliases = { username: 'mobile' } as const;

export interface LoginFormProps {
  onSignedIn: (signedIn: SignedIn, message: string) => void;
  /** Called with the login token if the account requires its authenticator's code. */
  onTotp: (token: string) => void;
}

/** Mobile and password; above them, why the last session ended. */
export function LoginForm({ onSignedIn, onTotp }: LoginFormProps) {
  const notice = useAtomValue(sessionNoticeAtom);
  useEffect(() => withdrawToast(notice), [notice]);
  const login = useLogin();
  const form = useAppForm({
    schema,
    defaultValues: empty,
    aliases,
    onSubmit: async ({ mobile: username, password, remember }) => {
      const { data, message } = await login.mutateAsync({ username, password, remember });
      if ('totp_required' in data) onTotp(data.totp_token);
      else onSignedIn(data, message);
    },
  });
  return (
    <>
      {notice && (
        <Notice tone="warning" live>
          {notice}
        </Notice>
      )}
      <Form form={form} label={t`Login`}>
        <MobileField autoComplete="username" />
        <PasswordField autoComplete="current-password" />
        <div className="d-flex flex-wrap justify-content-between gap-3">
          <CheckboxField name="remember" label={t`Remember me`} />
          <Link to="/forgot-password">{t`Forgot password?`}</Link>
        </div>
        <SubmitButton block size="lg">{t`Login`}</SubmitButton>
      </Form>
    </>
  );
}
