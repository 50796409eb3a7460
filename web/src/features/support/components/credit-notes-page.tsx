import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import { Pagination } from '@/components/pagination';
import { EmptyState, QueryStates } from '@/components/states';
import { usePageMeta } from '@/lib/page-meta';
import { creditNotesExport, creditNotesQuery, type InputTaxState } from '../api/help';
import { meQuery } from '../api/queries';
import { may } from '../api/rights';
import { FilterField } from './filter-field';
import { ConsoleTable } from './console-table';
import { rupees } from './customer-words';
import { inputTaxNames } from './input-tax';
import { When } from './when';
import './support-customers.scss';

/** Credit notes that reduced tax, issued to recipients with a GSTIN, and whether each recipient reversed the input tax credit. */
export function CreditNotesPage() {
  usePageMeta({ title: 'Credit notes' });
  const [params, setParams] = useSearchParams();
  const me = useQuery(meQuery);
  const state = (Object.keys(inputTaxNames) as InputTaxState[]).find((one) => one === params.get('state'));
  const list = useQuery({
    ...creditNotesQuery({ page: Math.max(1, Number(params.get('page')) || 1), ...(state && { state }) }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <div className="console-bar">
        <h1>Credit notes</h1>
        <FilterField id="note-state" label="Input tax credit">
          <select
            id="note-state"
            className="input"
            value={state ?? ''}
            onChange={(event) => setParams(event.target.value ? { state: event.target.value } : {}, { replace: true })}
          >
            <option value="">All</option>
            {Object.entries(inputTaxNames).map(([one, name]) => (
              <option key={one} value={one}>
                {name}
              </option>
            ))}
          </select>
        </FilterField>
        {may(me.data?.role, 'files') && (
          <a className="btn btn-outline btn-sm" href={creditNotesExport(state)} download>
            Download CSV
          </a>
        )}
      </div>
      <QueryStates query={list} what="the credit notes" lines={6} />
      {list.data?.data.length === 0 && (
        <EmptyState title="Nothing here">
          A credit note reduces our tax only where its recipient reversed the input tax credit. Notes with GST to
          recipients with a GSTIN appear here.
        </EmptyState>
      )}
      {list.data && list.data.data.length > 0 && (
        <ConsoleTable
          wide
          caption="Credit notes"
          heads={['Number', 'Recipient', 'Issued', 'GST', 'Total', 'Input tax credit']}
        >
          {list.data.data.map((one) => (
            <tr key={one.id}>
              <th scope="row">
                <Link to={`/support/payments/${encodeURIComponent(one.transaction_id)}`}>{one.number}</Link>
              </th>
              <td data-label="Recipient">
                <Link to={`/support/customers/${one.customer_id}`}>{one.name}</Link>, {one.gstin}
              </td>
              <td data-label="Issued">
                <When at={one.issued_at} now={list.dataUpdatedAt} />
              </td>
              <td data-label="GST">{rupees(one.tax_paise)}</td>
              <td data-label="Total">{rupees(one.total_paise)}</td>
              <td data-label="Input tax credit" className="console-clip">
                {inputTaxNames[one.state]}
                {one.evidence && `: ${one.evidence} (${one.recorded_by})`}
              </td>
            </tr>
          ))}
        </ConsoleTable>
      )}
      {list.data && (
        <Pagination label="Pages of credit notes" current={list.data.current_page} last={list.data.last_page} />
      )}
    </>
  );
}
