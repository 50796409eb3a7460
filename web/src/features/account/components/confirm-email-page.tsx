import { t } from '@lingui/core/macro';
import { useEffect, useState } from 'react';
import { Button, ButtonLink } from '@/ui/button';
import { useProveEmail } from '@/domain/email-proof/api/email-proof';
import { Notice } from '@/ui/notice';
import { PageTitle } from '@/ui/page-title';
import { explain } from '@/lib/api/errors';
import { useLinkToken } from '@/lib/link-token';
import { loginPath } from '@/lib/session/redirect';
import { useSession } from '@/lib/session/session';
import './account.scss';

const KEPT = 'email-proof';

/** The token of the link, kept in this tab across the login. */
function useToken(): string {
  const token = useLinkToken();
  const [kept] = useState(() => sessionStorage.getItem(KEPT) ?? '');
  useEffect(() => {
    if (token) sessionStorage.setItem(KEPT, token);
  }, [token]);
  return token || kept;
}

/** Where the link in the e-mail leads: one button, so that a mail scanner that opens links confirms nothing. */
export function ConfirmEmailPage() {
  const token = useToken();
  const { isAuthenticated } = useSession();
  const prove = useProveEmail();
  const handleConfirm = () =>
    prove.mutate(token, {
      onSuccess: () => sessionStorage.removeItem(KEPT),
    });
  return (
    <div className="container page account confirm-email">
      <PageTitle
        title={t`Confirm your e-mail address`}
        intro={t`We then send your receipts and invoices there too.`}
      >{t`Confirm your e-mail address`}</PageTitle>
      {prove.isSuccess ? (
        <>
          <Notice tone="success" live>
            {prove.data.message}
          </Notice>
          <ButtonLink to="/account/security">{t`To your account`}</ButtonLink>
        </>
      ) : (
        <Step
          token={token}
          signedIn={isAuthenticated}
          error={prove.error}
          pending={prove.isPending}
          onConfirm={handleConfirm}
        />
      )}
    </div>
  );
}

interface StepProps {
  token: string;
  signedIn: boolean;
  error: Error | null;
  pending: boolean;
  onConfirm: () => void;
}

function Step({ token, signedIn, error, pending, onConfirm }: StepProps) {
  if (!token)
    return (
      <>
        <Notice tone="warning">{t`This page needs the link from our e-mail. Open that link, or ask for a new one.`}</Notice>
        <ButtonLink to="/account/security">{t`To your account`}</ButtonLink>
      </>
    );
  if (!signedIn)
    return (
      <>
        <p>{t`Log in to the account for which you entered the address. We then bring you back here.`}</p>
        <ButtonLink to={loginPath('/account/confirm-email')} size="lg">{t`Log in`}</ButtonLink>
      </>
    );
  return (
    <>
      {error && (
        <Notice tone="danger" live>
          {explain(error)}
        </Notice>
      )}
      <Button size="lg" pending={pending} onClick={onConfirm}>{t`Confirm this address`}</Button>
    </>
  );
}
