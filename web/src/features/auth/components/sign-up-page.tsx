import { useAtomValue } from 'jotai';
import { useState } from 'react';
import { Link, Navigate, useSearchParams } from 'react-router';
import { afterSignIn, redirectWord, RETURN_PARAM, withReturn } from '@/lib/session/redirect';
import { useSession } from '@/lib/session/session';
import { codeUsedElsewhereAtom } from '../state';
import { AuthFrame } from './auth-frame';
import { SignUpForm } from './sign-up-form';

/** Who is signed in already, or finishes the sign-up in another tab, belongs elsewhere; the step of this tab leads on by itself. */
function useSignUpWay() {
  const session = useSession();
  const [arrivedSignedIn] = useState(session.isAuthenticated);
  const finishedElsewhere = useAtomValue(codeUsedElsewhereAtom) && session.isAuthenticated;
  const [search] = useSearchParams();
  const back = search.get(RETURN_PARAM);
  return { back, elsewhere: arrivedSignedIn || finishedElsewhere ? afterSignIn(redirectWord(session), back) : null };
}

/** Sign-up with e-mail, password and mobile. */
export function SignUpPage() {
  const { back, elsewhere } = useSignUpWay();
  if (elsewhere) return <Navigate to={elsewhere} replace />;
  return (
    <AuthFrame
      title="Create your account"
      pageName="Sign up"
      intro="It takes about a minute. You choose your plan afterwards."
      foot={
        <p>
          Already have an account? <Link to={withReturn('/login', back)}>Login</Link>
        </p>
      }
    >
      <SignUpForm purpose="sign-up" submitLabel="Sign up" />
    </AuthFrame>
  );
}

/** Sign-up for the free trial, which also asks for the name. */
export function FreeTrialPage() {
  const { back, elsewhere } = useSignUpWay();
  if (elsewhere) return <Navigate to={elsewhere} replace />;
  return (
    <AuthFrame
      title="Start your free trial"
      pageName="Start free trial"
      intro="14 days of Start up · Expansion. No card, nothing to cancel."
      foot={
        <p>
          Already have an account? <Link to={withReturn('/login', back)}>Login</Link>
        </p>
      }
    >
      <SignUpForm purpose="free-trial" submitLabel="Start free trial" />
    </AuthFrame>
  );
}
