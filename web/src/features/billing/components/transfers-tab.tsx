import { t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { DataTable, type Column } from '@/ui/list/list-table';
import { StatusText } from '@/ui/notice';
import { transfersQuery, type Transfer } from '@/domain/payment/api/transfers';
import { transferPath } from '@/domain/payment/transfer-offer';
import { Async, EmptyState } from '@/ui/states';
import { formatDay } from '@/lib/format';
import { transferState } from './transfer-words';

function StateCell({ row }: { row: Transfer }) {
  const { label, tone } = transferState(row);
  return (
    <span className="d-block">
      <StatusText tone={tone}>{label}</StatusText>
      {row.state === 'open' && (
        <span className="text-muted d-block text-sm cell-note">{t`Valid until ${formatDay(row.valid_until)}`}</span>
      )}
    </span>
  );
}

/** The money received; deducted tax and surplus are separate lines. */
function ReceivedCell({ row }: { row: Transfer }) {
  const lines = [
    row.tds_paise > 0 && t`Income tax deducted (TDS): ${row.tds}`,
    row.gst_tds_paise > 0 && t`GST deducted: ${row.gst_tds}`,
    row.over_paise > 0 && t`Overpaid, still yours: ${row.over}`,
  ].filter((line) => line !== false);
  return (
    <span className="d-block">
      {row.received}
      {lines.map((line) => (
        <span key={line} className="text-muted d-block text-sm cell-note">
          {line}
        </span>
      ))}
    </span>
  );
}

const columns: Column<Transfer>[] = [
  {
    label: t`Proforma`,
    cell: (row) => (
      <span className="d-block">
        <b className="tabular">{row.number}</b>
        <span className="text-muted d-block text-sm">{row.title}</span>
      </span>
    ),
  },
  { label: t`Date`, cell: (row) => formatDay(row.created_at) },
  { label: t`To be paid`, cell: (row) => row.amount, numeric: true },
  { label: t`Received`, cell: (row) => <ReceivedCell row={row} />, numeric: true },
  { label: t`Status`, cell: (row) => <StateCell row={row} /> },
  {
    label: t`Action`,
    cell: (row) => (
      <Link to={transferPath(row.id)} className="btn btn-outline btn-sm">
        {t`Details`}
        <span className="visually-hidden"> {row.number}</span>
      </Link>
    ),
    actions: true,
  },
];

/** The customer's proformas, newest first. */
export function TransfersTab() {
  const query = useQuery(transfersQuery);
  return (
    <Async query={query} what={t`your bank transfers`} lines={8}>
      {({ transfers }) =>
        transfers.length === 0 ? (
          <EmptyState title={t`No bank transfers yet`}>
            {t`Choose “Pay by bank transfer” when you buy or renew a plan: the proforma and the account to pay into then appear here.`}
          </EmptyState>
        ) : (
          <DataTable caption={t`Bank transfers`} columns={columns} rows={transfers} rowKey={({ id }) => id} />
        )
      }
    </Async>
  );
}
