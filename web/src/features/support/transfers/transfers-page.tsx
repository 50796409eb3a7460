import { useQuery } from '@tanstack/react-query';
import { Tabs, type TabItem } from '@/ui/tabs';
import { usePageMeta } from '@/lib/page-meta';
import { meQuery } from '../api/queries';
import { may } from '../api/rights';
import { TransferCredits } from './transfer-credits';
import { TransferProformas } from './transfer-proformas';
import { TransferStatement } from './transfer-statement';
import '../customers/support-customers.scss';

/** Bank transfers: the credits and their bills, the bills that wait for a transfer, and the bank's statement. */
export function TransfersPage() {
  usePageMeta({ title: 'Bank transfers' });
  const me = useQuery(meQuery);
  const items: [TabItem, ...TabItem[]] = [
    { id: 'credits', label: 'Came in', content: <TransferCredits /> },
    { id: 'proformas', label: 'Proformas', content: <TransferProformas /> },
  ];
  if (may(me.data?.role, 'money')) items.push({ id: 'statement', label: 'Enter', content: <TransferStatement /> });
  return (
    <>
      <h1>Bank transfers</h1>
      <Tabs label="Bank transfers" items={items} resets="page" />
    </>
  );
}
