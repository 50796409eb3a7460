import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import { Pagination } from '@/components/pagination';
import { EmptyState, QueryStates } from '@/components/states';
import { formatDay } from '@/lib/format';
import { proformasQuery, type SupportTransfer } from '../api/transfers';
import { ConsoleTable } from './console-table';
import { StateFilter } from './state-filter';
import { proformaStates } from './transfer-words';

/** The proformas of all customers, newest first. */
export function TransferProformas() {
  const [params] = useSearchParams();
  const state = (Object.keys(proformaStates) as SupportTransfer['state'][]).find((one) => one === params.get('state'));
  const list = useQuery({
    ...proformasQuery({ page: Math.max(1, Number(params.get('page')) || 1), ...(state && { state }) }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <div className="console-bar">
        <StateFilter id="proforma-state" label="State" names={proformaStates} value={state} />
      </div>
      <QueryStates query={list} what="the proformas" lines={6} />
      {list.data?.data.length === 0 && (
        <EmptyState title="No proformas">
          A customer who chooses to pay by bank transfer gets one; it stands here then.
        </EmptyState>
      )}
      {list.data && list.data.data.length > 0 && (
        <ConsoleTable
          wide
          caption="Proformas"
          heads={['Number', 'Customer', 'For', 'Amount', 'Received', 'Told UTR', 'Valid until', 'State']}
        >
          {list.data.data.map((one) => (
            <tr key={one.id}>
              <th scope="row">
                {one.number}
                {one.po_number && <span className="console-hint"> PO {one.po_number}</span>}
              </th>
              <td data-label="Customer" className="console-clip">
                <Link to={`/support/customers/${one.customer_id}`}>{one.customer_name || 'Customer'}</Link>
              </td>
              <td data-label="For">{one.title}</td>
              <td data-label="Amount">{one.amount}</td>
              <td data-label="Received">{one.received}</td>
              <td data-label="Told UTR">{one.told_utr || 'None'}</td>
              <td data-label="Valid until">{formatDay(one.valid_until)}</td>
              <td data-label="State">{proformaStates[one.state]}</td>
            </tr>
          ))}
        </ConsoleTable>
      )}
      {list.data && (
        <Pagination label="Pages of proformas" current={list.data.current_page} last={list.data.last_page} />
      )}
    </>
  );
}
