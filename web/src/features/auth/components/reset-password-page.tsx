import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { Navigate, useNavigate } from 'react-router';
import * as z from 'zod/mini';
import { Form, SubmitButton } from '@/ui/form/form';
import { PasswordField } from '@/ui/form/password-field';
import { useAppForm } from '@/ui/form/use-app-form';
import { endSession } from '@/lib/session/session';
import { toast } from '@/lib/toast';
import { password, PASSWORDS_DIFFER, text } from '@/lib/validation';
import { useResetPassword } from '../api/reset-password';
import { usePendingCode } from '../state';
import { AuthFrame } from './auth-frame';

const schema = z
  .object({
    password: password(t`New password`),
    password_confirmation: text(t`Confirm password`, [], { normalise: (value) => value }),
  })
  .check(
    z.refine((values) => !values.password_confirmation || values.password === values.password_confirmation, {
      path: ['password_confirmation'],
      error: PASSWORDS_DIFFER,
      when: () => true,
    }),
  );

/** Recovery, last step: the new password, twice. Redirects to the start if no code was verified. */
export function ResetPasswordPage() {
  const [pending, setPending] = usePendingCode();
  // Read once: setting the password consumes it, and a redirect must not interfere with the navigation to the login.
  const [proof] = useState(pending?.purpose === 'password' ? pending : null);
  const navigate = useNavigate();
  const reset = useResetPassword();
  const form = useAppForm({
    schema,
    defaultValues: { password: '', password_confirmation: '' },
    onSubmit: async (values) => {
      if (!proof?.verificationId) return;
      const { message } = await reset.mutateAsync({
        mobile: proof.mobile,
        verification_id: proof.verificationId,
        ...values,
      });
      setPending(null);
      endSession();
      toast.success(message);
      void navigate('/login', { replace: true });
    },
  });
  if (!proof?.verificationId) return <Navigate to="/forgot-password" replace />;
  return (
    <AuthFrame
      title={t`Choose a new password`}
      pageName={t`Reset password`}
      intro={t`You will be logged out on all your devices.`}
    >
      <Form form={form} label={t`Reset password`}>
        <PasswordField label={t`New password`} autoComplete="new-password" rules />
        <PasswordField name="password_confirmation" label={t`Confirm password`} autoComplete="new-password" />
        <SubmitButton block size="lg">{t`Reset password`}</SubmitButton>
      </Form>
    </AuthFrame>
  );
}
