import { plural, t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { Documents } from '@/domain/invoice/documents';
import { DataTable, type Column } from '@/ui/list/list-table';
import { StatusText } from '@/ui/notice';
import { InputTaxNotice, TakenAgain } from '@/domain/payment/money-back';
import { formatInstant } from '@/lib/format';
import { exportPayments } from '../api/exports';
import { paymentsQuery } from '../api/payments';
import { useListQuery } from '../list';
import { methodName, statusOf, type PaymentRow } from '../words';
import { ListFrame } from './list-frame';

/** Milliseconds between polls for an invoice that is being generated. */
const LOOK_AGAIN_MS = 3000;

function waitsForInvoice({ state, invoice_id, refund_state }: PaymentRow): boolean {
  return state === 'paid' && invoice_id === null && refund_state === 'none';
}

function StatusCell({ row }: { row: PaymentRow }) {
  const { tone, label } = statusOf(row);
  return (
    <>
      <StatusText tone={tone}>{label}</StatusText>
      <TakenAgain of={row} />
    </>
  );
}

/** The amount paid, and the invoice total if a credit covered the rest. */
function TotalCell({
  row: { payable_total: paid, invoice_total: invoiced, credit_used: credit },
}: {
  row: PaymentRow;
}) {
  return (
    <span className="d-block">
      {paid}
      {credit && (
        <span className="text-muted d-block text-sm cell-note">{t`Invoice ${invoiced ?? ''}, of which ${credit} by credit note`}</span>
      )}
    </span>
  );
}

function DocumentsCell({ row }: { row: PaymentRow }) {
  if (row.documents.length > 0) return <Documents documents={row.documents} />;
  return waitsForInvoice(row) && <span className="text-muted text-sm">{t`Invoice is being prepared`}</span>;
}

const columns: Column<PaymentRow>[] = [
  {
    label: t`Invoice`,
    cell: (row) => (
      <span className="d-block">
        <b className="tabular">{row.invoice_number ?? '-'}</b>
        <span className="text-muted d-block text-sm tabular">{row.transaction_id}</span>
      </span>
    ),
  },
  { label: t`Date`, cell: (row) => formatInstant(row.payment_date) },
  { label: t`Paid by`, cell: (row) => methodName(row.payment_slug) },
  { label: t`Gateway charge`, cell: (row) => row.pg_charge, numeric: true },
  { label: t`Total`, cell: (row) => <TotalCell row={row} />, numeric: true },
  { label: t`Status`, cell: (row) => <StatusCell row={row} /> },
  { label: t`Action`, cell: (row) => <DocumentsCell row={row} />, actions: true },
];

const counted = (total: number) => plural(total, { one: '# payment', other: '# payments' });

/** The payments with their documents and refunds. */
export function PaymentsTab() {
  const query = useListQuery();
  const payments = useQuery({
    ...paymentsQuery(query),
    refetchInterval: ({ state }) => (state.data?.data.some(waitsForInvoice) ? LOOK_AGAIN_MS : false),
  });
  return (
    <ListFrame query={payments} many={t`payments`} counted={counted} exportAll={exportPayments}>
      {(rows) => (
        <>
          <InputTaxNotice rows={rows} />
          <DataTable caption={t`Payments`} columns={columns} rows={rows} rowKey={(row) => row.id} />
        </>
      )}
    </ListFrame>
  );
}
