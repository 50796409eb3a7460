import { t } from '@lingui/core/macro';
import SearchIcon from 'bootstrap-icons/icons/search.svg?component';
import { useId, type FormEvent } from 'react';
import { useQuery } from '@tanstack/react-query';
import { LeavingNotice } from '@/domain/erasure/leaving';
import { SEARCH_MAX } from '@/ui/list/use-list-state';
import { dashboardQuery } from '@/domain/payment/api/dashboard';
import { ConfirmingPayments } from '@/domain/payment/confirming-notice';
import { HeldNotice } from '@/domain/payment/held-notice';
import { transfersQuery } from '@/domain/payment/api/transfers';
import { PlanEndedNotice, RenewalNotice } from '@/domain/payment/renewal-notice';
import { TermValue } from '@/domain/payment/term-value';
import { PageTitle } from '@/ui/page-title';
import { Tabs, type TabItem } from '@/ui/tabs';
import { useSession } from '@/lib/session/session';
import { useSearchBox } from '../list';
import { OrdersTab } from './orders-tab';
import { PaymentsTab } from './payments-tab';
import { TransfersTab } from './transfers-tab';
import './billing.scss';

const tabs: [TabItem, ...TabItem[]] = [
  { id: 'orders', label: t`Orders`, content: <OrdersTab /> },
  { id: 'payments', label: t`Payments`, content: <PaymentsTab /> },
];
const withTransfers: typeof tabs = [...tabs, { id: 'transfers', label: t`Bank transfers`, content: <TransfersTab /> }];

/** The tabs; that of bank transfers only where they are offered, or were. */
function useTabs() {
  const { data } = useQuery(transfersQuery);
  return data && (data.offered || data.transfers.length > 0) ? withTransfers : tabs;
}

function SearchBox() {
  const id = useId();
  const { typed, setTyped, sendNow } = useSearchBox();
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    sendNow();
  };
  return (
    <form role="search" className="search-box" onSubmit={handleSubmit}>
      <label htmlFor={id} className="visually-hidden">{t`Search orders and payments`}</label>
      <SearchIcon />
      <input
        id={id}
        type="search"
        className="input"
        placeholder={t`Plan, add-on, invoice or order id`}
        maxLength={SEARCH_MAX}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </form>
  );
}

function HeldPayments() {
  const { data } = useQuery(dashboardQuery);
  return data && <HeldNotice payments={data.held_payments} />;
}

/** Renewals and Billing: orders and payments; search and page are kept in the URL. */
export function BillingPage() {
  const { role } = useSession();
  return (
    <div className="container page billing">
      {role === 'owner' && (
        <>
          <LeavingNotice />
          <HeldPayments />
          <ConfirmingPayments />
          <RenewalNotice />
          <PlanEndedNotice />
        </>
      )}
      <PageTitle
        title={t`Renewals & Billing`}
        intro={t`Every order and every payment, with its GST invoice.`}
        actions={<SearchBox />}
      >{t`Renewals and Billing`}</PageTitle>
      {role === 'owner' && <TermValue />}
      <Tabs label={t`Renewals and billing`} items={useTabs()} resets="page" />
    </div>
  );
}
