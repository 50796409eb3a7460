import { t } from '@lingui/core/macro';
import { latePart } from '@/start/page/late';
import { ButtonLink } from '@/ui/button';
import { LeavingNotice } from '@/domain/erasure/leaving';
import { PageTitle } from '@/ui/page-title';
import { Loading, Skeleton } from '@/ui/states';
import { Tabs, type TabItem } from '@/ui/tabs';
import { ProfileTab } from './profile-tab';
import './account.scss';

const loading = (what: string) => (
  <Loading what={what}>
    <Skeleton lines={8} />
  </Loading>
);
const StoreTab = latePart(async () => (await import('./store-tab')).StoreTab, { fallback: loading(t`your store`) });
const AddressTab = latePart(async () => (await import('./address-tab')).AddressTab, {
  fallback: loading(t`your address`),
});

/** The account's details in three tabs. */
export function AccountPage() {
  const tabs: [TabItem, ...TabItem[]] = [
    { id: 'profile', label: t`Profile`, content: <ProfileTab /> },
    {
      id: 'store',
      label: t`Store Details`,
      content: <StoreTab />,
      onReach: StoreTab.preload,
    },
    {
      id: 'address',
      label: t`Business Address`,
      content: <AddressTab />,
      onReach: AddressTab.preload,
    },
  ];
  return (
    <div className="container page account">
      <LeavingNotice />
      <PageTitle
        title={t`Account`}
        intro={t`Who you are, what your store is called, and where your invoices go.`}
        actions={
          <div className="d-flex flex-wrap gap-3">
            <ButtonLink to="/account/team" variant="outline">{t`Team`}</ButtonLink>
            <ButtonLink to="/account/security" variant="outline">{t`Security`}</ButtonLink>
          </div>
        }
      >{t`Your account`}</PageTitle>
      <div className="account-form">
        <Tabs label={t`Account`} items={tabs} />
      </div>
    </div>
  );
}
