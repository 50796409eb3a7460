import { t } from '@lingui/core/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ButtonLink } from '@/ui/button';
import { LeavingNotice } from '@/domain/erasure/leaving';
import { PageTitle } from '@/ui/page-title';
import { Tabs, type TabItem } from '@/ui/tabs';
import { Async } from '@/ui/states';
import { codeQuery } from '@/lib/code-query';
import { ProfileTab } from './profile-tab';
import './account.scss';

const storeTab = codeQuery('store-tab', async () => (await import('./store-tab')).StoreTab);
const addressTab = codeQuery('address-tab', async () => (await import('./address-tab')).AddressTab);

/** A tab whose code is loaded when the tab is first opened. */
function LaterTab({ code, what }: { code: typeof storeTab; what: string }) {
  const tab = useQuery(code);
  return (
    <Async query={tab} what={what} lines={8}>
      {({ Part }) => <Part />}
    </Async>
  );
}

/** The account's details in three tabs. */
export function AccountPage() {
  const client = useQueryClient();
  const tabs: [TabItem, ...TabItem[]] = [
    { id: 'profile', label: t`Profile`, content: <ProfileTab /> },
    {
      id: 'store',
      label: t`Store Details`,
      content: <LaterTab code={storeTab} what={t`your store`} />,
      onReach: () => void client.prefetchQuery(storeTab),
    },
    {
      id: 'address',
      label: t`Business Address`,
      content: <LaterTab code={addressTab} what={t`your address`} />,
      onReach: () => void client.prefetchQuery(addressTab),
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
