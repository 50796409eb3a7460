import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link, Navigate } from 'react-router';
import { PageTitle } from '@/ui/page-title';
import { Async, EmptyState } from '@/ui/states';
import { useSession } from '@/lib/session/session';
import { domainViewQuery } from '../api/domain-view';
import { storeDetailsQuery } from '../api/store-details';
import { StoreTab } from './store-tab';
import './account.scss';

const states: Record<string, string> = {
  none: t`none`,
  pending: t`waits for its DNS records`,
  active: t`in use`,
  broken: t`its DNS records are gone or wrong`,
};

/** What a manager keeps: the store's details, the way to its outlets, and a look at its domain. */
export function ManagedStorePage() {
  const { hasStoreDetails, role } = useSession();
  if (role === 'owner') return <Navigate to="/account?tab=store" replace />;
  return (
    <div className="container page account">
      <PageTitle intro={t`What the store is called, and where it is on the web.`}>{t`Store`}</PageTitle>
      {hasStoreDetails ? (
        <div className="account-form">
          <p>
            <Trans>
              Outlets are kept at the store’s own dashboard.{' '}
              <Link to="/open-store" target="_blank" rel="noreferrer">
                Open the store’s dashboard<span className="visually-hidden"> (new window)</span>
              </Link>
            </Trans>
          </p>
          <StoreTab />
          <Domain />
        </div>
      ) : (
        <EmptyState title={t`There is no store yet.`}>{t`The owner of the account sets it up.`}</EmptyState>
      )}
    </div>
  );
}

function Domain() {
  const store = useQuery(storeDetailsQuery);
  const domain = useQuery({ ...domainViewQuery(store.data?.id ?? ''), enabled: Boolean(store.data?.id) });
  return (
    <section aria-labelledby="store-domain" className="mt-5">
      <h2 id="store-domain">{t`Domain`}</h2>
      <Async query={domain} what={t`the domain`}>
        {({ domain: address, custom_domain: own, state, reason }) => {
          const inWords = states[state] ?? state;
          return (
            <>
              <p>{t`Address on the web: ${address}`}</p>
              <p>{own ? t`Own domain: ${own}, ${inWords}` : t`Own domain: ${inWords}`}</p>
              {reason && <p className="text-muted text-sm">{reason}</p>}
            </>
          );
        }}
      </Async>
    </section>
  );
}
