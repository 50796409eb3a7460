import { ButtonLink } from '@/components/button';
import { PageTitle } from '@/components/page-title';
import { Tabs, type TabItem } from '@/components/tabs';
import { AddressTab } from './address-tab';
import { ProfileTab } from './profile-tab';
import { StoreTab } from './store-tab';
import '@/styles/account.scss';

const tabs: [TabItem, ...TabItem[]] = [
  { id: 'profile', label: 'Profile', content: <ProfileTab /> },
  { id: 'store', label: 'Store Details', content: <StoreTab /> },
  { id: 'address', label: 'Business Address', content: <AddressTab /> },
];

/** The account's own details in three tabs. */
export function AccountPage() {
  return (
    <div className="container page account">
      <PageTitle
        title="Account"
        intro="Who you are, what your store is called, and where your invoices go."
        actions={
          <ButtonLink to="/account/security" variant="outline">
            Security
          </ButtonLink>
        }
      >
        Your account
      </PageTitle>
      <div className="account-form">
        <Tabs label="Account" items={tabs} />
      </div>
    </div>
  );
}
