import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { ListPage } from '@/ui/list/list-page';
import type { Column } from '@/ui/list/list-table';
import { oneOf, useListState } from '@/ui/list/use-list-state';
import { creditNotesQuery, type CreditNote } from '../api/help';
import { rupees } from '../customers/customer-words';
import { inputTaxNames } from './input-tax';
import { CsvLink } from '../shared/csv-link';
import { When } from '../shared/when';
import '../customers/support-customers.scss';

const columnsOf = (now: number): Column<CreditNote>[] => [
  {
    label: 'Number',
    cell: (one) => <Link to={`/support/payments/${encodeURIComponent(one.transaction_id)}`}>{one.number}</Link>,
  },
  {
    label: 'Recipient',
    cell: (one) => (
      <>
        <Link to={`/support/customers/${one.customer_id}`}>{one.name}</Link>, {one.gstin}
      </>
    ),
  },
  { label: 'Issued', cell: (one) => <When at={one.issued_at} now={now} /> },
  { label: 'GST', cell: (one) => rupees(one.tax_paise), numeric: true },
  { label: 'Total', cell: (one) => rupees(one.total_paise), numeric: true },
  {
    label: 'Input tax credit',
    filter: { name: 'state', options: inputTaxNames },
    cell: (one) => (
      <>
        {inputTaxNames[one.state]}
        {one.evidence && `: ${one.evidence} (${one.recorded_by})`}
      </>
    ),
    long: true,
  },
];

/** Credit notes that reduced tax, issued to recipients with a GSTIN, and whether each recipient reversed the input tax credit. */
export function CreditNotesPage() {
  const { filter, page } = useListState({ state: oneOf(inputTaxNames) });
  const list = useQuery(creditNotesQuery({ page, ...filter }));
  return (
    <ListPage
      wide
      title="Credit notes"
      query={list}
      what="the credit notes"
      columns={columnsOf(list.dataUpdatedAt)}
      rowKey={(one) => one.id}
      acts={<CsvLink list="credit-notes" filter={filter} />}
      empty="A credit note reduces our tax only where its recipient reversed the input tax credit. Notes with GST to recipients with a GSTIN appear here."
    />
  );
}
