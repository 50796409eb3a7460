import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { Button } from '@/components/button';
import { Pagination } from '@/components/pagination';
import { EmptyState, QueryStates } from '@/components/states';
import { formatDay } from '@/lib/format';
import { toast } from '@/lib/toast';
import { meQuery } from '../api/queries';
import { may } from '../api/rights';
import { cancelProforma, proformasQuery, type SupportTransfer } from '../api/transfers';
import { ConsoleTable } from './console-table';
import { CsvLink } from './csv-link';
import { ListSearch } from './list-search';
import { ReasonDialog } from './reason-dialog';
import { StateFilter } from './state-filter';
import { proformaStates } from './transfer-words';

/** The money received for a bill; deducted tax and surplus are separate lines. */
function Received({ of: bill }: { of: SupportTransfer }) {
  const lines = [
    bill.tds_paise > 0 && `${bill.tds} income tax deducted`,
    bill.gst_tds_paise > 0 && `${bill.gst_tds} GST deducted`,
    bill.over_paise > 0 && `${bill.over} too much`,
  ].filter((line) => line !== false);
  return (
    <>
      {bill.received}
      {lines.map((line) => (
        <span key={line} className="console-hint d-block">
          {line}
        </span>
      ))}
    </>
  );
}

function StateOf({ of: bill, onCancel }: { of: SupportTransfer; onCancel: (() => void) | undefined }) {
  const by = { '': '', customer: ' by the customer', staff: ' by us' }[bill.cancelled_by];
  return (
    <>
      {by ? `Cancelled${by}` : proformaStates[bill.state]}{' '}
      {onCancel && bill.cancellable && (
        <Button variant="quiet" size="sm" onClick={onCancel}>
          Cancel it<span className="visually-hidden"> {bill.number}</span>
        </Button>
      )}
    </>
  );
}

interface CancelDialogProps {
  of: SupportTransfer;
  onClose: () => void;
}

function CancelDialog({ of: bill, onClose }: CancelDialogProps) {
  const queries = useQueryClient();
  return (
    <ReasonDialog
      title={`Cancel ${bill.number}?`}
      effect={
        <p>
          {bill.told_utr
            ? `The customer reported a transfer with the number ${bill.told_utr} for it: look for that first. `
            : 'No money came for it. '}
          Its order can still be paid online, or by another proforma.
        </p>
      }
      label="Cancel the proforma"
      suggestions={['The customer asked for another one', 'Ordered by mistake']}
      act={(reason) => cancelProforma(bill.id, reason)}
      onDone={({ message }) => {
        onClose();
        toast.success(message);
        void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === 'support' });
      }}
      onClose={onClose}
    />
  );
}

/** The proformas of all customers, newest first. */
export function TransferProformas() {
  const [params] = useSearchParams();
  const me = useQuery(meQuery);
  const [cancelling, setCancelling] = useState<SupportTransfer>();
  const search = params.get('search') ?? '';
  const state = (Object.keys(proformaStates) as SupportTransfer['state'][]).find((one) => one === params.get('state'));
  const list = useQuery({
    ...proformasQuery({
      page: Math.max(1, Number(params.get('page')) || 1),
      ...(state && { state }),
      ...(search && { search }),
    }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <div className="console-bar">
        <StateFilter id="proforma-state" label="State" names={proformaStates} value={state} />
        <ListSearch id="proforma-search" label="Find" placeholder="Number, order number, UTR or recipient" />
        <CsvLink list="transfers" filter={{ state, search }} />
      </div>
      <QueryStates query={list} what="the proformas" lines={6} />
      {list.data?.data.length === 0 && (
        <EmptyState title="No proformas">
          A customer who chooses to pay by bank transfer gets one; it then appears here.
        </EmptyState>
      )}
      {list.data && list.data.data.length > 0 && (
        <ConsoleTable
          wide
          caption="Proformas"
          heads={['Number', 'Customer', 'For', 'Amount', 'Received', 'Reported UTR', 'Valid until', 'State']}
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
              <td data-label="Received">
                <Received of={one} />
              </td>
              <td data-label="Reported UTR">{one.told_utr || 'None'}</td>
              <td data-label="Valid until">{formatDay(one.valid_until)}</td>
              <td data-label="State">
                <StateOf of={one} onCancel={may(me.data?.role, 'money') ? () => setCancelling(one) : undefined} />
              </td>
            </tr>
          ))}
        </ConsoleTable>
      )}
      {list.data && (
        <Pagination label="Pages of proformas" current={list.data.current_page} last={list.data.last_page} />
      )}
      {cancelling && <CancelDialog of={cancelling} onClose={() => setCancelling(undefined)} />}
    </>
  );
}
