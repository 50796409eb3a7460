import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useAtomValue } from 'jotai';
import { Link, Navigate } from 'react-router';
import { afterSignIn, redirectWord, withReturn } from '@/lib/session/redirect';
import { useSession } from '@/lib/session/session';
import { codeUsedElsewhereAtom } from '../state';
import { useArrival } from '../use-arrival';
import { AuthFrame } from './auth-frame';
import { SignUpForm } from './sign-up-form';

/** Like `useArrival`, but also redirects people who finish the sign-up in another tab. */
function useSignUpWay() {
  const arrival = useArrival();
  const session = useSession();
  const finishedElsewhere = useAtomValue(codeUsedElsewhereAtom) && session.isAuthenticated;
  return finishedElsewhere ? { ...arrival, elsewhere: afterSignIn(redirectWord(session), arrival.back) } : arrival;
}

/** Sign-up with e-mail, password and mobile. */
export function SignUpPage() {
  const { back, elsewhere } = useSignUpWay();
  if (elsewhere) return <Navigate to={elsewhere} replace />;
  return (
    <AuthFrame
      title={t`Create your account`}
      pageName={t`Sign up`}
      description={t`Create your Franchise 360 account in about a minute: e-mail, password and mobile number. Or try it for 14 days without a card.`}
      intro={t`It takes about a minute. You choose your plan afterwards.`}
      foot={
        <>
          <p>
            <Trans>
              Already have an account? <Link to={withReturn('/login', back)}>Login</Link>
            </Trans>
          </p>
          <p>
            <Trans>
              Just looking? <Link to={withReturn('/start-free-trial', back)}>Start a free trial</Link>: 14 days, no
              card.
            </Trans>
          </p>
        </>
      }
    >
      <SignUpForm purpose="sign-up" submitLabel={t`Sign up`} />
    </AuthFrame>
  );
}

/** Sign-up for the free trial, which also collects the name. */
export function FreeTrialPage() {
  const { back, elsewhere } = useSignUpWay();
  if (elsewhere) return <Navigate to={elsewhere} replace />;
  return (
    <AuthFrame
      title={t`Start your free trial`}
      pageName={t`Start free trial`}
      description={t`Try Franchise 360 for 14 days: Start up · Expansion with up to 18 franchises, no card, nothing to cancel.`}
      intro={t`14 days of Start up · Expansion. No card, nothing to cancel.`}
      foot={
        <p>
          <Trans>
            Already have an account? <Link to={withReturn('/login', back)}>Login</Link>
          </Trans>
        </p>
      }
    >
      <SignUpForm purpose="free-trial" submitLabel={t`Start free trial`} />
    </AuthFrame>
  );
}
