import { t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useId } from 'react';
import { useSearchParams } from 'react-router';
import { ButtonLink } from '@/ui/button';
import { Notice } from '@/ui/notice';
import { PageTitle } from '@/ui/page-title';
import { toApiError } from '@/lib/api/errors';
import { leaveFor } from '@/lib/reload';
import { useSession } from '@/lib/session/session';
import { openStoreQuery } from '../api/open-store';
import '@/styles/app.scss';

export interface OpenStorePageProps {
  /** Leaves this site; tests look at where to. */
  leave?: (address: string) => void;
}

/**
 * Opens the store's own dashboard for the owner, or a manager of the team, without the store's password. `at` is the requesting host; if it
 * is not the account's store, the page does not redirect automatically.
 */
export function OpenStorePage({ leave = leaveFor }: OpenStorePageProps) {
  const [search] = useSearchParams();
  const { otherAccounts } = useSession();
  const entry = useQuery(openStoreQuery(useId()));
  const asked = search.get('at');
  const other = entry.data && asked && asked !== entry.data.host ? entry.data : null;
  const to = entry.data && !other ? entry.data.url : null;
  useEffect(() => {
    if (to) leave(to);
  }, [to, leave]);
  const problem = entry.error && toApiError(entry.error);
  return (
    <div className="container page">
      <PageTitle title={t`Opening the store`}>
        {problem || other ? t`The store could not be opened` : t`Opening the store…`}
      </PageTitle>
      {problem && (
        <Notice tone="danger" live>
          {problem.status === 404 ? t`There is no store in this account yet.` : problem.detail || problem.message}
        </Notice>
      )}
      {other && (
        <Notice tone="warning" live>
          {t`You are logged in to an account whose store is ${other.host}, not ${asked ?? ''}.`}
        </Notice>
      )}
      {problem || other ? (
        <div className="form-actions mt-3">
          {other && (
            <a className="btn btn-primary" href={other.url}>
              {t`Open ${other.host}`}
            </a>
          )}
          {otherAccounts && (
            <ButtonLink to="/accounts" variant="outline">
              {t`Switch account`}
            </ButtonLink>
          )}
          <ButtonLink to="/dashboard" variant="outline">
            {t`To your dashboard`}
          </ButtonLink>
        </div>
      ) : (
        <p role="status">{t`You are being taken to the store’s dashboard.`}</p>
      )}
    </div>
  );
}
