import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import OpenIcon from 'bootstrap-icons/icons/box-arrow-up-right.svg?component';
import { useQuery } from '@tanstack/react-query';
import { Navigate } from 'react-router';
import { LeavingNotice } from '@/domain/erasure/leaving';
import { HeldNotice } from '@/domain/payment/held-notice';
import { TermValue } from '@/domain/payment/term-value';
import { ConfirmingNotice, useConfirming } from '@/domain/payment/confirming-notice';
import { ScheduledNotice } from '@/domain/plan-change/scheduled-notice';
import { SetupChecklist } from '@/domain/setup/setup-checklist';
import { PageTitle } from '@/ui/page-title';
import { Async, Skeleton } from '@/ui/states';
import { useSession } from '@/lib/session/session';
import { dashboardQuery, runs } from '@/domain/payment/api/dashboard';
import { accessUrl, type OwnedAddOn, type Subscription, type Tenant, shownDomain } from '../state';
import { AddOnsCard } from './add-ons-card';
import { AutomaticRenewalCard } from './automatic-renewal-card';
import { Banners } from './banners';
import { DeliveriesCard } from './deliveries-card';
import { NextBillCard } from './next-bill-card';
import { PlanCard } from './plan-card';
import { SettingsCard } from './settings-card';
import { SpendingCard } from './spending-card';
import './dashboard.scss';

interface ContentProps {
  subscription: Subscription;
  tenant: Tenant;
  addOns: readonly OwnedAddOn[];
}

function Content({ subscription, tenant, addOns }: ContentProps) {
  return (
    <div className="dash-grid">
      <div className="dash-main">
        {runs(subscription) && <SetupChecklist subscription={subscription} tenant={tenant} hides />}
        <PlanCard subscription={subscription} />
      </div>
      <div className="dash-side">
        <NextBillCard />
        <AutomaticRenewalCard />
        <TermValue />
        <SettingsCard tenant={tenant} />
      </div>
      <div className="dash-main">
        <AddOnsCard subscription={subscription} addOns={addOns} />
        {runs(subscription) && subscription.payment_type !== 'free trial' && <DeliveriesCard />}
        <SpendingCard />
      </div>
    </div>
  );
}

/** The plan's dashboard: the active plan, its price, its renewal date, and every available action. */
export function DashboardPage() {
  const { storeName } = useSession();
  const dashboard = useQuery(dashboardQuery);
  const confirming = useConfirming(false);
  const { subscription, tenant, add_ons_services: addOns = [], connected_dashboard: connected } = dashboard.data ?? {};
  if (dashboard.isSuccess && !subscription) return <Navigate to="/pricing" replace />;
  if (dashboard.isSuccess && !tenant) return <Navigate to="/store-details" replace />;
  return (
    <div className="container page">
      <LeavingNotice />
      {dashboard.data && <HeldNotice payments={dashboard.data.held_payments} />}
      <ConfirmingNotice payments={confirming} />
      {subscription?.scheduled_change && (
        <ScheduledNotice change={subscription.scheduled_change} paying={confirming.length > 0} />
      )}
      {subscription && <Banners subscription={subscription} />}
      <PageTitle
        title={t`Dashboard`}
        intro={tenant && shownDomain(tenant)}
        actions={
          tenant && (
            <a className="btn btn-primary" href={accessUrl(tenant, connected)} target="_blank" rel="noreferrer">
              <Trans>
                Access Franchise Dashboard <OpenIcon />
                <span className="visually-hidden">(new window)</span>
              </Trans>
            </a>
          )
        }
      >
        {tenant?.store_name ?? (storeName || t`Dashboard`)}
      </PageTitle>
      <Async
        query={dashboard}
        what={t`your dashboard`}
        skeleton={
          <div className="dash-grid">
            <Skeleton lines={8} />
            <Skeleton lines={8} />
          </div>
        }
      />
      {subscription && tenant && <Content subscription={subscription} tenant={tenant} addOns={addOns} />}
    </div>
  );
}
