import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearchParams } from 'react-router';
import { QueryStates } from '@/components/states';
import { formatDate, formatDay } from '@/lib/format';
import { usePageMeta } from '@/lib/page-meta';
import { customerAccountFile, customerAccountQuery, type CustomerAccount } from '../api/accounts';
import { useMay } from '../api/rights';
import { FilterField } from './filter-field';
import { ConsoleTable } from './console-table';
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
      {of.lines.length === 0 && <p>There are no entries in this time.</p>}
      {of.lines.length > 0 && (
        <ConsoleTable caption="Entries" heads={['Date', 'Entry', 'Charge', 'Credit', 'Balance']}>
          {of.lines.map((one, i) => (
            <tr key={i}>
              <td data-label="Date">{formatDay(one.at)}</td>
              <th scope="row">{one.description}</th>
              <td data-label="Charge">{one.charge_paise > 0 ? rupees(one.charge_paise) : '–'}</td>
              <td data-label="Credit">{one.credit_paise > 0 ? rupees(one.credit_paise) : '–'}</td>
              <td data-label="Balance">{balanceOf(one.balance_paise)}</td>
            </tr>
          ))}
        </ConsoleTable>
      )}
    </>
  );
}

const heads = ['Invoice', 'Line', 'Days', 'Value', 'Earned', 'Credited', 'Deferred'];

function Schedule({ of }: { of: CustomerAccount }) {
  if (!of.through || of.schedule.length === 0)
    return <p>No invoice is on the schedule yet: each day is booked in the night after it.</p>;
  return (
    <>
      <p>The lines of the newest invoices, before tax, as booked through {formatDate(of.through)}.</p>
      <ConsoleTable wide caption="Revenue by invoice line" heads={heads}>
        {of.schedule.map((one) => (
          <tr key={`${one.invoice_id}.${one.position}`}>
            <th scope="row">{one.number}</th>
            <td data-label="Line">{one.description}</td>
            <td data-label="Days">
              {one.from === one.until ? formatDate(one.from) : `${formatDate(one.from)} to ${formatDate(one.until)}`}
            </td>
            <td data-label="Value">{rupees(one.amount_paise)}</td>
            <td data-label="Earned">{rupees(one.earned_paise)}</td>
            <td data-label="Credited">{rupees(one.credited_paise)}</td>
            <td data-label="Deferred">{rupees(one.unearned_paise)}</td>
          </tr>
        ))}
      </ConsoleTable>
    </>
  );
}

/** A customer's statement of account, and how the lines of its invoices are earned. */
export function CustomerAccountPage() {
  usePageMeta({ title: 'Statement of account' });
  const { id = '' } = useParams();
  const [params, setParams] = useSearchParams();
  const period = { from: params.get('from') ?? undefined, to: params.get('to') ?? undefined };
  const shown = useQuery({ ...customerAccountQuery(id, period), placeholderData: keepPreviousData });
  const takes = useMay('files');
  const day = (name: 'from' | 'to', label: string) => (
    <FilterField id={`statement-${name}`} label={label}>
      <input
        id={`statement-${name}`}
        className="input"
        type="date"
        value={period[name] ?? shown.data?.[name] ?? ''}
        onChange={({ target: { value } }) =>
          setParams({ ...Object.fromEntries(params), [name]: value }, { replace: true })
        }
      />
    </FilterField>
  );
  return (
    <>
      <p>
        <Link to={`/support/customers/${id}`}>Back to the customer</Link>
      </p>
      <div className="console-bar">
        <h1>Statement of account</h1>
        {day('from', 'From')}
        {day('to', 'To')}
        {takes && shown.data && (
          <>
            <a className="btn btn-outline btn-sm" href={customerAccountFile(id, shown.data, 'pdf')} download>
              Download PDF
            </a>
            <a className="btn btn-outline btn-sm" href={customerAccountFile(id, shown.data, 'csv')} download>
              Download CSV
            </a>
          </>
        )}
      </div>
      <QueryStates query={shown} what="the account" lines={6} />
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
