import { useAtomValue } from 'jotai';
import { useState } from 'react';
import { Link, Navigate, useNavigate, useSearchParams } from 'react-router';
import * as z from 'zod/mini';
import { CheckboxField } from '@/components/form/checkbox-field';
import { Form, SubmitButton } from '@/components/form/form';
import { PasswordField } from '@/components/form/password-field';
import { MobileField } from '@/components/form/text-field';
import { useAppForm } from '@/components/form/use-app-form';
import { Notice } from '@/components/notice';
import type { components } from '@/lib/api/schema.gen';
import { afterSignIn, redirectWord, RETURN_PARAM, withReturn } from '@/lib/session/redirect';
import { sessionNoticeAtom, startSession, useSession } from '@/lib/session/session';
import { toast } from '@/lib/toast';
import { currentPassword, mobile } from '@/lib/validation';
import { useLogin } from '../api/login';
import { AuthFrame } from './auth-frame';
import { TotpStep } from './totp-step';

type SignedIn = components['schemas']['SignedIn'];

const schema = z.object({ mobile: mobile(), password: currentPassword(), remember: z.boolean() });
const empty = { mobile: '', password: '', remember: false };
const aliases = { username: 'mobile' } as const;

/** Login with mobile and password, then with the authenticator's code where the account asks for one. */
export function LoginPage() {
  const session = useSession();
  // Asked once: the sign-in below leads on by itself.
  const [arrivedSignedIn] = useState(session.isAuthenticated);
  const [totpToken, setTotpToken] = useState('');
  const [search] = useSearchParams();
  const back = search.get(RETURN_PARAM);
  const navigate = useNavigate();

  const handleSignedIn = (signedIn: SignedIn, message: string) => {
    const user = signedIn['franchiser-user'];
    startSession(signedIn.redirect_to === 'subscription_price' ? { ...user, is_active: false } : user);
    toast.success(message);
    void navigate(afterSignIn(signedIn.redirect_to, back), { replace: true });
  };

  if (arrivedSignedIn) return <Navigate to={afterSignIn(redirectWord(session), back)} replace />;
  if (totpToken) return <TotpStep token={totpToken} onSignedIn={handleSignedIn} onBack={() => setTotpToken('')} />;
  return (
    <AuthFrame
      title="Welcome back"
      pageName="Login"
      intro="Log in with the mobile number of your account."
      foot={
        <p>
          New to Franchise 360? <Link to={withReturn('/sign-up', back)}>Create an account</Link> or{' '}
          <Link to={withReturn('/start-free-trial', back)}>start a free trial</Link>.
        </p>
      }
    >
      <LoginForm onSignedIn={handleSignedIn} onTotp={setTotpToken} />
    </AuthFrame>
  );
}

interface LoginFormProps {
  onSignedIn: (signedIn: SignedIn, message: string) => void;
  onTotp: (token: string) => void;
}

function LoginForm({ onSignedIn, onTotp }: LoginFormProps) {
  const notice = useAtomValue(sessionNoticeAtom);
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
      <Form form={form} label="Login">
        <MobileField autoComplete="username" />
        <PasswordField autoComplete="current-password" />
        <div className="d-flex flex-wrap justify-content-between gap-3">
          <CheckboxField name="remember" label="Remember me" />
          <Link to="/forgot-password">Forgot password?</Link>
        </div>
        <SubmitButton block size="lg">
          Login
        </SubmitButton>
      </Form>
    </>
  );
}
