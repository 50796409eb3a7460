import { Tabs, type TabItem } from '@/ui/tabs';
import { usePageMeta } from '@/lib/page-meta';
import { useMay } from '../api/rights';
import { TransferCredits } from './transfer-credits';
import { TransferProformas } from './transfer-proformas';
import { TransferStatement } from './transfer-statement';
import '../customers/support-customers.scss';

/** Bank transfers: the credits and their bills, the bills that wait for a transfer, and the bank's statement. */
export function TransfersPage() {
  usePageMeta({ title: 'Bank transfers' });
  const money = useMay('money');
  const items: [TabItem, ...TabItem[]] = [
    { id: 'credits', label: 'Came in', content: <TransferCredits /> },
    { id: 'proformas', label: 'Proformas', content: <TransferProformas /> },
  ];
  if (money) items.push({ id: 'statement', label: 'Enter', content: <TransferStatement /> });
  return (
    <>
      <h1>Bank transfers</h1>
      <Tabs label="Bank transfers" items={items} resets="page" />
    </>
  );
}
