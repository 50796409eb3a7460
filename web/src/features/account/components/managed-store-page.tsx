import { useQuery } from '@tanstack/react-query';
import { Navigate } from 'react-router';
import { Loaded } from '@/components/loaded';
import { PageTitle } from '@/components/page-title';
import { EmptyState } from '@/components/states';
import { useSession } from '@/lib/session/session';
import { domainViewQuery } from '../api/domain-view';
import { storeDetailsQuery } from '../api/store-details';
import { StoreTab } from './store-tab';
import './account.scss';

const states: Record<string, string> = {
  none: 'none',
  pending: 'waits for its DNS records',
  active: 'in use',
  broken: 'its DNS records are gone or wrong',
};

/** What a manager keeps: the store's details, the way to its outlets, and a look at its domain. */
export function ManagedStorePage() {
  const { hasStoreDetails, role } = useSession();
  if (role === 'owner') return <Navigate to="/account?tab=store" replace />;
  return (
    <div className="container page account">
      <PageTitle intro="What the store is called, and where it is on the web.">Store</PageTitle>
      {hasStoreDetails ? (
        <div className="account-form">
          <p>
            Outlets are kept at the store’s own dashboard.{' '}
            <a href="/open-store" target="_blank" rel="noreferrer">
              Open the store’s dashboard<span className="visually-hidden"> (new window)</span>
            </a>
          </p>
          <StoreTab />
          <Domain />
        </div>
      ) : (
        <EmptyState title="There is no store yet.">The owner of the account sets it up.</EmptyState>
      )}
    </div>
  );
}

function Domain() {
  const store = useQuery(storeDetailsQuery);
  const domain = useQuery({ ...domainViewQuery(store.data?.id ?? ''), enabled: Boolean(store.data?.id) });
  return (
    <section aria-labelledby="store-domain" className="mt-5">
      <h2 id="store-domain">Domain</h2>
      <Loaded query={domain} what="the domain">
        {({ domain: address, custom_domain: own, state, reason }) => (
          <>
            <p>Address on the web: {address}</p>
            <p>
              Own domain: {own && `${own}, `}
              {states[state] ?? state}
            </p>
            {reason && <p className="text-muted text-sm">{reason}</p>}
          </>
        )}
      </Loaded>
    </section>
  );
}
