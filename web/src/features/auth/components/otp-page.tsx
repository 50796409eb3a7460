import { t } from '@lingui/core/macro';
import { useAtomValue } from 'jotai';
import { Navigate, useNavigate } from 'react-router';
import { ButtonLink } from '@/ui/button';
import { redirectPath, redirectWord } from '@/lib/session/redirect';
import { useSession } from '@/lib/session/session';
import { codeUsedElsewhereAtom, usePendingCode } from '../state';
import { AuthFrame } from './auth-frame';
import { SignUpCode } from './sign-up-code';

/** The code step as a separate page, for people who return to a sign-up that is waiting for its code. */
export function OtpPage() {
  const [pending, setPending] = usePendingCode();
  const usedElsewhere = useAtomValue(codeUsedElsewhereAtom);
  const session = useSession();
  const navigate = useNavigate();
  if (usedElsewhere && session.isAuthenticated)
    return <Navigate to={redirectPath(redirectWord(session)) ?? '/'} replace />;
  if (!pending || pending.purpose === 'password') {
    return (
      <AuthFrame
        title={t`Verify your mobile number`}
        intro={
          usedElsewhere
            ? t`Your code was entered in another tab of this browser. Continue there.`
            : t`No sign-up is waiting for a code here. Codes are valid for 10 minutes.`
        }
      >
        <ButtonLink to="/sign-up" block>{t`Go to sign-up`}</ButtonLink>
      </AuthFrame>
    );
  }
  const handleChange = () => {
    setPending({ ...pending, putAside: true });
    void navigate(pending.purpose === 'free-trial' ? '/start-free-trial' : '/sign-up');
  };
  return (
    <AuthFrame title={t`Verify your mobile number`}>
      <SignUpCode pending={pending} onChange={handleChange} />
    </AuthFrame>
  );
}
