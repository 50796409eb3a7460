import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { ListDate } from '@/ui/list/list-date';
import { anyText, useListState } from '@/ui/list/use-list-state';
import { Async } from '@/ui/states';
import { ListTable } from '@/ui/list/list-table';
import { PageBar } from '@/ui/list/page-bar';
import { toApiError } from '@/lib/api/errors';
import { formatDate, formatDay } from '@/lib/format';
import { customerAccountFile, customerAccountQuery, type CustomerAccount } from '../api/accounts';
import { useMay } from '../api/rights';
import { MissingCustomer } from '../shared/missing';
import { DownloadLink } from '../shared/csv-link';
import { rupees } from './customer-words';
import './support-customers.scss';

/** A balance in words: owed by the customer or owed to the customer. */
function balanceOf(paise: number): string {
  if (paise === 0) return rupees(0);
  return paise > 0 ? `${rupees(paise)} owed by the customer` : `${rupees(-paise)} owed to the customer`;
}

function Entries({ of }: { of: CustomerAccount }) {
  return (
    <>
      <p>
        Opening balance on {formatDate(of.from)}: {balanceOf(of.opening_paise)}. Closing balance on {formatDate(of.to)}:{' '}
        {balanceOf(of.closing_paise)}.
      </p>
      <ListTable
        none={<p>There are no entries in this time.</p>}
        caption="Entries"
        rows={of.lines}
        rowKey={(_, index) => index}
        columns={[
          { label: 'Date', cell: (one) => formatDay(one.at) },
          { label: 'Entry', cell: (one) => one.description, head: true },
          { label: 'Charge', cell: (one) => (one.charge_paise > 0 ? rupees(one.charge_paise) : '–'), numeric: true },
          { label: 'Credit', cell: (one) => (one.credit_paise > 0 ? rupees(one.credit_paise) : '–'), numeric: true },
          { label: 'Balance', cell: (one) => balanceOf(one.balance_paise) },
        ]}
      />
    </>
  );
}

function Schedule({ of }: { of: CustomerAccount }) {
  if (!of.through || of.schedule.length === 0)
    return <p>No invoice is on the schedule yet: each day is booked in the night after it.</p>;
  return (
    <>
      <p>The lines of the newest invoices, before tax, as booked through {formatDate(of.through)}.</p>
      <ListTable
        wide
        caption="Revenue by invoice line"
        rows={of.schedule}
        rowKey={(one) => `${one.invoice_id}.${one.position}`}
        columns={[
          { label: 'Invoice', cell: (one) => one.number },
          { label: 'Line', cell: (one) => one.description },
          {
            label: 'Days',
            cell: (one) =>
              one.from === one.until ? formatDate(one.from) : `${formatDate(one.from)} to ${formatDate(one.until)}`,
          },
          { label: 'Value', cell: (one) => rupees(one.amount_paise), numeric: true },
          { label: 'Earned', cell: (one) => rupees(one.earned_paise), numeric: true },
          { label: 'Credited', cell: (one) => rupees(one.credited_paise), numeric: true },
          { label: 'Deferred', cell: (one) => rupees(one.unearned_paise), numeric: true },
        ]}
      />
    </>
  );
}

/** A customer's statement of account, and how the lines of its invoices are earned. */
export function CustomerAccountPage() {
  const { id = '' } = useParams();
  const { filter } = useListState({ from: anyText, to: anyText });
  const shown = useQuery({ ...customerAccountQuery(id, filter), placeholderData: keepPreviousData });
  const takes = useMay('files');
  if (toApiError(shown.error).status === 404) return <MissingCustomer />;
  return (
    <>
      <p>
        <Link to={`/support/customers/${id}`}>Back to the customer</Link>
      </p>
      <PageBar title="Statement of account">
        <ListDate name="from" label="From" otherwise={shown.data?.from} />
        <ListDate name="to" label="To" otherwise={shown.data?.to} />
        {takes && shown.data && (
          <>
            <DownloadLink href={customerAccountFile(id, shown.data, 'pdf')}>Download PDF</DownloadLink>
            <DownloadLink href={customerAccountFile(id, shown.data, 'csv')}>Download CSV</DownloadLink>
          </>
        )}
      </PageBar>
      <Async query={shown} what="the account" lines={6} />
      {shown.data && (
        <>
          <Entries of={shown.data} />
          <h2>Revenue by invoice line</h2>
          <Schedule of={shown.data} />
        </>
      )}
    </>
  );
}
