import { t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useId } from 'react';
import { useSearchParams } from 'react-router';
import { ButtonLink } from '@/ui/button';
import { Notice } from '@/ui/notice';
import { PageTitle } from '@/ui/page-title';
import { toApiError } from '@/lib/api/errors';
import { leaveFor } from '@/lib/reload';
import { signInQuery } from '../api/sign-in';
import '@/styles/app.scss';

export interface ConnectPageProps {
  /** Leaves this site; tests look at where to. */
  leave?: (address: string) => void;
}

/** Where a connected system sends a browser to learn who is signed in: straight back, unless something is wrong. */
export function ConnectPage({ leave = leaveFor }: ConnectPageProps) {
  const [search] = useSearchParams();
  const page = useId();
  const signIn = useQuery(signInQuery(search, page));
  const to = signIn.data?.redirect_to;
  useEffect(() => {
    if (to) leave(to);
  }, [to, leave]);
  const problem = signIn.error && toApiError(signIn.error);
  return (
    <div className="container page">
      <PageTitle title={t`Signing in`}>{problem ? t`This sign-in did not work` : t`Signing you in…`}</PageTitle>
      {problem ? (
        <>
          <Notice tone="danger" live>
            {problem.detail || problem.message}
          </Notice>
          <div className="form-actions mt-3">
            {problem.code === 'plan_ended' ? (
              <ButtonLink to="/pricing">{t`See the plans`}</ButtonLink>
            ) : (
              <ButtonLink to="/dashboard">{t`To your dashboard`}</ButtonLink>
            )}
          </div>
        </>
      ) : (
        <p role="status">{t`You are being taken to the other system.`}</p>
      )}
    </div>
  );
}
