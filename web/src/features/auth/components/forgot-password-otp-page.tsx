import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useAtomValue } from 'jotai';
import { Link, Navigate, useNavigate } from 'react-router';
import { CodeForm } from '@/ui/code-form/code-form';
import { Notice } from '@/ui/notice';
import { toApiError } from '@/lib/api/errors';
import { toast } from '@/lib/toast';
import { useCheckPasswordCode } from '../api/check-password-code';
import { useRequestPasswordCode } from '../api/request-password-code';
import { codeSent, codeUsedElsewhereAtom, usePendingCode } from '../state';
import { AuthFrame } from './auth-frame';

function UsedElsewhere() {
  return (
    <AuthFrame
      title={t`Enter the code`}
      pageName={t`Forgot password, code`}
      foot={<Link to="/login">{t`Back to login`}</Link>}
    >
      <Notice live>
        <Trans>
          Your code was entered in another tab of this browser. Continue there, or{' '}
          <Link to="/forgot-password">ask for a new code</Link>.
        </Trans>
      </Notice>
    </AuthFrame>
  );
}

/** Recovery, second step: the code. Redirects to the first step if no code was sent. */
export function ForgotPasswordOtpPage() {
  const [pending, setPending] = usePendingCode();
  const usedElsewhere = useAtomValue(codeUsedElsewhereAtom);
  const navigate = useNavigate();
  const request = useRequestPasswordCode();
  const check = useCheckPasswordCode();
  if (!pending && usedElsewhere) return <UsedElsewhere />;
  if (pending?.purpose !== 'password') return <Navigate to="/forgot-password" replace />;

  const handleCode = async (otp: string) => {
    const { data, message } = await check.mutateAsync({ mobile: pending.mobile, otp });
    setPending({ ...pending, startedAt: Date.now(), verificationId: data.otp_verification_id });
    toast.success(message);
    void navigate('/reset-password', { replace: true });
  };
  const handleResend = (onSent: () => void) => {
    request.mutate(pending.mobile, {
      onSuccess: ({ data, message }) => {
        setPending(codeSent('password', pending.mobile, data.resend_after));
        toast.success(message);
        onSent();
      },
      onError: (error) => {
        const { retryAfter } = toApiError(error);
        if (retryAfter > 0) setPending({ ...pending, resendAt: Date.now() + retryAfter * 1000 });
      },
    });
  };

  return (
    <AuthFrame
      title={t`Enter the code`}
      pageName={t`Forgot password, code`}
      intro={t`It usually arrives by SMS within a few seconds.`}
    >
      <CodeForm
        sent={t`If this mobile number has an account, a 6-digit code is on its way to`}
        mobile={pending.mobile}
        resendAt={pending.resendAt}
        onCode={handleCode}
        onResend={handleResend}
        resending={request.isPending}
        resendProblem={request.error}
        onChange={() => void navigate('/forgot-password')}
      />
    </AuthFrame>
  );
}
