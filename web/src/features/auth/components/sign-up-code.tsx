import { useAtom } from 'jotai';
import { useNavigate, useSearchParams } from 'react-router';
import { CodeForm } from '@/ui/code-form/code-form';
import { forgetDraft } from '@/ui/form/draft';
import { Notice } from '@/ui/notice';
import { toApiError } from '@/lib/api/errors';
import { isPersonal, RETURN_PARAM, withReturn } from '@/lib/session/redirect';
import { startSession } from '@/lib/session/session';
import { toast } from '@/lib/toast';
import { useCheckSignUpCode } from '../api/check-sign-up-code';
import { useConfirmRegistration } from '../api/confirm-registration';
import { useResendCode } from '../api/resend-code';
import { codeSent, SIGN_UP_DRAFT, signUpPasswordAtom, usePendingCode, type PendingCode } from '../state';

export interface SignUpCodeProps {
  pending: PendingCode;
  /** Returns to the form; the code stays valid. */
  onChange: () => void;
  /** The parent screen continues once the account exists, so the form does not navigate. */
  staysHere?: boolean;
  focused?: boolean;
  /** Shown above the field. */
  note?: string;
}

/** The code step of a sign-up, in its dialog and on the code page: creates the account, then continues to the address. */
export function SignUpCode({ pending, onChange, staysHere, focused, note }: SignUpCodeProps) {
  const [, setPending] = usePendingCode();
  const [password, setPassword] = useAtom(signUpPasswordAtom);
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const check = useCheckSignUpCode();
  const confirm = useConfirmRegistration();
  const resend = useResendCode();

  // A code can be used only once: if the step after it failed, its proof is reused.
  const proofOf = async (otp: string) => {
    if (pending.verificationId) return pending.verificationId;
    const { otp_verification_id: verificationId } = await check.mutateAsync({ mobile: pending.mobile, otp });
    setPending({ ...pending, verificationId });
    return verificationId;
  };

  const register = async (verification_id: string) => {
    try {
      return await confirm.mutateAsync({ mobile: pending.mobile, verification_id });
    } catch (error) {
      if (toApiError(error).code === 'verification_invalid') setPending({ ...pending, verificationId: undefined });
      throw error;
    }
  };

  const handleCode = async (otp: string) => {
    const { user, message } = await register(await proofOf(otp));
    startSession(user);
    setPending(null);
    setPassword('');
    forgetDraft(SIGN_UP_DRAFT);
    toast.success(message);
    const back = search.get(RETURN_PARAM);
    const next = back && isPersonal(back) ? back : withReturn('/store-details/address', back);
    if (!staysHere) void navigate(next, { replace: true });
  };

  const handleResend = (onSent: () => void) => {
    resend.mutate(
      { mobile: pending.mobile, password: password || undefined },
      {
        onSuccess: ({ data, message }) => {
          setPending(codeSent(pending.purpose, pending.mobile, data.resend_after));
          toast.success(message);
          onSent();
        },
        onError: (error) => {
          const { retryAfter } = toApiError(error);
          if (retryAfter > 0) setPending({ ...pending, resendAt: Date.now() + retryAfter * 1000 });
        },
      },
    );
  };

  return (
    <>
      {note && <Notice live>{note}</Notice>}
      <CodeForm
        mobile={pending.mobile}
        resendAt={pending.resendAt}
        onCode={handleCode}
        onResend={handleResend}
        resending={resend.isPending}
        resendProblem={resend.error}
        onChange={onChange}
        focused={focused}
      />
    </>
  );
}
