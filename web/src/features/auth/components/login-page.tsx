import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { Link, Navigate, useNavigate } from 'react-router';
import { afterLogin, withReturn } from '@/lib/session/redirect';
import { startSession } from '@/lib/session/session';
import { toast } from '@/lib/toast';
import { useArrival } from '../use-arrival';
import { AuthFrame } from './auth-frame';
import { LoginForm, type SignedIn } from './login-form';
import { TotpForm } from './totp-form';

/** Login with mobile and password, then with the authenticator's code if the account requires one. */
export function LoginPage() {
  const { back, elsewhere } = useArrival();
  const [totpToken, setTotpToken] = useState('');
  const navigate = useNavigate();

  const handleSignedIn = (signedIn: SignedIn, message: string) => {
    const user = signedIn['franchiser-user'];
    startSession(signedIn.redirect_to === 'subscription_price' ? { ...user, is_active: false } : user);
    toast.success(message);
    void navigate(afterLogin(signedIn.redirect_to, back, user.other_accounts), { replace: true });
  };

  if (elsewhere) return <Navigate to={elsewhere} replace />;
  if (totpToken)
    return (
      <AuthFrame
        title={t`Enter your authenticator code`}
        pageName={t`Login`}
        intro={t`Your password is correct. One more step keeps your account safe.`}
      >
        <TotpForm token={totpToken} onSignedIn={handleSignedIn} onBack={() => setTotpToken('')} />
      </AuthFrame>
    );
  return (
    <AuthFrame
      title={t`Welcome back`}
      pageName={t`Login`}
      description={t`Log in to Franchise 360 with your mobile number: your plan, your store, your invoices and your renewals.`}
      intro={t`Log in with the mobile number of your account.`}
      foot={
        <p>
          <Link to="/helpcenter/lost-mobile-number">{t`I no longer have this number`}</Link>
          <br />
          <Trans>
            New to Franchise 360? <Link to={withReturn('/sign-up', back)}>Create an account</Link> or{' '}
            <Link to={withReturn('/start-free-trial', back)}>start a free trial</Link>.
          </Trans>
        </p>
      }
    >
      <LoginForm onSignedIn={handleSignedIn} onTotp={setTotpToken} />
    </AuthFrame>
  );
}
