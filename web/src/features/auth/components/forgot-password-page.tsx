import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Link, useNavigate } from 'react-router';
import * as z from 'zod/mini';
import { ButtonLink } from '@/ui/button';
import { Form, SubmitButton } from '@/ui/form/form';
import { MobileField } from '@/ui/form/text-field';
import { useAppForm } from '@/ui/form/use-app-form';
import { Notice } from '@/ui/notice';
import { formatMobile } from '@/lib/format';
import { toast } from '@/lib/toast';
import { mobile } from '@/lib/validation';
import { useRequestPasswordCode } from '../api/request-password-code';
import { codeSent, usePendingCode } from '../state';
import { AuthFrame } from './auth-frame';

/** Delay in milliseconds before the code screen opens once the code has been sent. */
const REDIRECT_MS = 200;

const schema = z.object({ mobile: mobile() });

/** Recovery, first step: the mobile number that receives the code. */
export function ForgotPasswordPage() {
  const [pending, setPending] = usePendingCode();
  const navigate = useNavigate();
  const request = useRequestPasswordCode();
  const form = useAppForm({
    schema,
    defaultValues: { mobile: pending?.purpose === 'password' ? pending.mobile : '' },
    onSubmit: async (values) => {
      const { data, message } = await request.mutateAsync(values.mobile);
      setPending(codeSent('password', values.mobile, data.resend_after));
      toast.success(message);
      setTimeout(() => void navigate('/forgot-password-otp'), REDIRECT_MS);
    },
  });
  const waiting = pending?.purpose === 'password' && !pending.verificationId ? pending : null;
  return (
    <AuthFrame
      title={t`Forgot your password?`}
      pageName={t`Forgot password`}
      description={t`Set a new password for your Franchise 360 account with a code by SMS.`}
      intro={t`Enter the mobile number of your account. We send you a code to set a new password.`}
      foot={
        <>
          <p>
            <Link to="/helpcenter/lost-mobile-number">{t`I no longer have this number`}</Link>
          </p>
          <Link to="/login">{t`Back to login`}</Link>
        </>
      }
    >
      {waiting && (
        <Notice>
          <Trans>
            A code was requested just now for{' '}
            <strong className="tabular text-nowrap">{formatMobile(waiting.mobile)}</strong>.
            <div>
              <ButtonLink className="mt-2" size="sm" to="/forgot-password-otp">
                Enter the code
              </ButtonLink>
            </div>
          </Trans>
        </Notice>
      )}
      <Form form={form} label={t`Forgot password`}>
        <MobileField autoComplete="username" />
        <SubmitButton block size="lg">{t`Send code`}</SubmitButton>
      </Form>
    </AuthFrame>
  );
}
