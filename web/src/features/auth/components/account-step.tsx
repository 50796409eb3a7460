import { t } from '@lingui/core/macro';
import { useState, type ReactNode } from 'react';
import { startSession } from '@/lib/session/session';
import { toast } from '@/lib/toast';
import { LoginForm, type SignedIn } from './login-form';
import { SignUpForm } from './sign-up-form';
import { TotpForm } from './totp-form';

type Way = 'new' | 'known';

/** Sign-up with the login collapsed below it, for a screen that continues as soon as the person is signed in. */
export function AccountStep() {
  const [way, setWay] = useState<Way>('new');
  const [totpToken, setTotpToken] = useState('');
  const handleSignedIn = (signedIn: SignedIn, message: string) => {
    startSession(signedIn['franchiser-user']);
    toast.success(message);
  };
  if (totpToken)
    return (
      <section className="account-step" aria-labelledby="account-code">
        <h2 id="account-code">{t`Enter your authenticator code`}</h2>
        <TotpForm token={totpToken} onSignedIn={handleSignedIn} onBack={() => setTotpToken('')} />
      </section>
    );
  return (
    <>
      <Fold id="account-new" title={t`Create account`} open={way === 'new'} onOpen={() => setWay('new')}>
        <SignUpForm purpose="sign-up" submitLabel={t`Create account`} staysHere />
      </Fold>
      <Fold id="account-known" title={t`I have an account`} open={way === 'known'} onOpen={() => setWay('known')}>
        <LoginForm onSignedIn={handleSignedIn} onTotp={setTotpToken} />
      </Fold>
    </>
  );
}

interface FoldProps {
  id: string;
  title: string;
  open: boolean;
  onOpen: () => void;
  children: ReactNode;
}

/** One of two alternatives, exactly one of which is open. */
function Fold({ id, title, open, onOpen, children }: FoldProps) {
  return (
    <section className={`account-step ${open ? 'is-open' : ''}`}>
      <h2>
        <button type="button" aria-expanded={open} aria-controls={id} onClick={onOpen}>
          <span className="account-step-mark" aria-hidden="true" />
          {title}
        </button>
      </h2>
      <div id={id}>{open && children}</div>
    </section>
  );
}
