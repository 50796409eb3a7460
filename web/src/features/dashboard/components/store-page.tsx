import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { ButtonLink } from '@/ui/button';
import { LeavingNotice } from '@/domain/erasure/leaving';
import { UnlessPaying } from '@/domain/payment/unless-paying';
import { PageTitle } from '@/ui/page-title';
import { Async, EmptyState } from '@/ui/states';
import { StatusText } from '@/ui/notice';
import { useSession } from '@/lib/session/session';
import { dashboardQuery, runs } from '@/domain/payment/api/dashboard';
import { accessUrl, domainText, type Connected, type Subscription, type Tenant, shownDomain } from '../state';
import { FranchiseMeter } from './plan-card';
import './dashboard.scss';

interface SummaryProps {
  tenant: Tenant;
  subscription: Subscription | null;
  connected: Connected;
}

function Summary({ tenant, subscription, connected }: SummaryProps) {
  const { tone, label } = domainText[tenant.custom_domain_state];
  return (
    <div className="panel panel-raised store-summary">
      <h2>{tenant.store_name}</h2>
      <dl className="fact-list">
        <div>
          <dt>{t`Username`}</dt>
          <dd className="tabular">{tenant.store_username}</dd>
        </div>
        <div>
          <dt>{t`Web address`}</dt>
          <dd>{shownDomain(tenant)}</dd>
        </div>
        <div>
          <dt>{t`Own domain`}</dt>
          <dd>
            {tenant.custom_domain && <span className="d-block">{tenant.custom_domain}</span>}
            <StatusText tone={tone}>{label}</StatusText>
          </dd>
        </div>
      </dl>
      {subscription && runs(subscription) && <FranchiseMeter {...subscription.franchises} />}
      <div className="form-actions">
        <a className="btn btn-primary" href={accessUrl(tenant, connected)} target="_blank" rel="noreferrer">
          <Trans>
            Access Franchise Dashboard<span className="visually-hidden"> (new window)</span>
          </Trans>
        </a>
        <ButtonLink to="/account?tab=store" variant="outline">{t`Store details`}</ButtonLink>
        <ButtonLink to="/dashboard" variant="outline">{t`Settings`}</ButtonLink>
      </div>
    </div>
  );
}

/** A store needs an active plan; without one the plan comes first, which cannot be bought while the account is to be erased. */
function NoStore({ planRuns }: { planRuns: boolean }) {
  const { eraseOn } = useSession();
  return (
    <EmptyState
      title={t`There is no store yet.`}
      action={
        planRuns ? (
          <ButtonLink to="/store-details">{t`Set up your store`}</ButtonLink>
        ) : (
          !eraseOn && <ButtonLink to="/pricing">{t`Explore Our Plans`}</ButtonLink>
        )
      }
    >
      {planRuns
        ? t`Give it a name and a password; it takes a minute.`
        : t`Choose a plan first; your store comes with it.`}
    </EmptyState>
  );
}

/** An overview of the store, with links to its parts. */
export function SubscriptionStorePage() {
  const dashboard = useQuery(dashboardQuery);
  return (
    <div className="container page">
      <LeavingNotice />
      <PageTitle>{t`Store`}</PageTitle>
      <Async query={dashboard} what={t`your store`} lines={6} />
      {dashboard.isSuccess && dashboard.data.tenant && (
        <Summary
          tenant={dashboard.data.tenant}
          subscription={dashboard.data.subscription}
          connected={dashboard.data.connected_dashboard}
        />
      )}
      {dashboard.isSuccess && !dashboard.data.tenant && runs(dashboard.data.subscription) && <NoStore planRuns />}
      {dashboard.isSuccess && !dashboard.data.tenant && !runs(dashboard.data.subscription) && (
        <UnlessPaying>
          <NoStore planRuns={false} />
        </UnlessPaying>
      )}
    </div>
  );
}
