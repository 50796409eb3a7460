import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { ListPage } from '@/ui/list/list-page';
import { anyText, oneOf, useListState } from '@/ui/list/use-list-state';
import type { Column } from '@/ui/list/list-table';
import { formatDay } from '@/lib/format';
import { useMay } from '../api/rights';
import { cancelProforma, proformasQuery, type SupportTransfer } from '../api/transfers';
import { CsvLink } from '../shared/csv-link';
import { ReasonDialog } from '../shared/reason-dialog';
import { proformaStates } from './transfer-words';
import { Offer } from '../shared/offer';

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
        <Offer variant="quiet" onClick={onCancel} of={bill.number}>
          Cancel it
        </Offer>
      )}
    </>
  );
}

interface CancelDialogProps {
  of: SupportTransfer;
  onClose: () => void;
}

function CancelDialog({ of: bill, onClose }: CancelDialogProps) {
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
      onClose={onClose}
    />
  );
}

const columnsOf = (onCancel: ((of: SupportTransfer) => void) | undefined): Column<SupportTransfer>[] => [
  {
    label: 'Number',
    cell: (one) => (
      <>
        {one.number}
        {one.po_number && <span className="console-hint"> PO {one.po_number}</span>}
      </>
    ),
  },
  {
    label: 'Customer',
    cell: (one) => <Link to={`/support/customers/${one.customer_id}`}>{one.customer_name || 'Customer'}</Link>,
    long: true,
  },
  { label: 'For', cell: (one) => one.title },
  { label: 'Amount', cell: (one) => one.amount, numeric: true },
  { label: 'Received', cell: (one) => <Received of={one} />, numeric: true },
  { label: 'Reported UTR', cell: (one) => one.told_utr || 'None' },
  { label: 'Valid until', cell: (one) => formatDay(one.valid_until) },
  {
    label: 'State',
    filter: { name: 'state', options: proformaStates },
    cell: (one) => <StateOf of={one} onCancel={onCancel && (() => onCancel(one))} />,
  },
];

/** The proformas of all customers, newest first. */
export function TransferProformas() {
  const money = useMay('money');
  const [cancelling, setCancelling] = useState<SupportTransfer>();
  const { filter, page } = useListState({ state: oneOf(proformaStates), search: anyText });
  const list = useQuery(proformasQuery({ page, ...filter }));
  return (
    <>
      <ListPage
        wide
        untitled
        title="Proformas"
        query={list}
        what="the proformas"
        columns={columnsOf(money ? setCancelling : undefined)}
        rowKey={(one) => one.id}
        search={{ label: 'Find', placeholder: 'Number, order number, UTR or recipient' }}
        acts={<CsvLink list="transfers" filter={filter} />}
        emptyTitle="No proformas"
        empty="A customer who chooses to pay by bank transfer gets one; it then appears here."
      />
      {cancelling && <CancelDialog of={cancelling} onClose={() => setCancelling(undefined)} />}
    </>
  );
}
