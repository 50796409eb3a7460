import { Link } from 'react-router';
import { ListTable, type Column } from '@/ui/list/list-table';
import { formatDay } from '@/lib/format';
import type { SettlementDifference, SettlementLine } from '../api/help';
import { gatewayName, rupees } from '../customers/customer-words';
import { When } from '../shared/when';
import { Offer } from '../shared/offer';

const kinds: Record<SettlementLine['kind'], string> = {
  capture: 'Payment',
  refund: 'Refund',
  refund_reversal: 'Refund that came back',
  chargeback: 'Chargeback',
  chargeback_reversal: 'Chargeback that came back',
  adjustment: 'Adjustment',
};

function Transaction({ id, known = true }: { id: string; known?: boolean }) {
  if (!id) return '–';
  return known ? <Link to={`/support/payments/${encodeURIComponent(id)}`}>{id}</Link> : id;
}

interface DifferencesProps {
  of: SettlementDifference[];
  caption: string;
  now: number;
  /** Acknowledges what nothing will ever clear; admins only. */
  onAcknowledge?: ((difference: SettlementDifference) => void) | undefined;
}

function Ending({
  of,
  now,
  onAcknowledge,
}: Pick<DifferencesProps, 'now' | 'onAcknowledge'> & { of: SettlementDifference }) {
  const { cleared_at: cleared, acknowledged, can_acknowledge: can, transaction_id: transaction } = of;
  if (cleared) return <When at={cleared} now={now} />;
  if (acknowledged)
    return (
      <>
        Acknowledged by {acknowledged.by} <When at={acknowledged.at} now={now} />: {acknowledged.reason}
      </>
    );
  return (
    <>
      Open
      {can && onAcknowledge && (
        <>
          {' '}
          <Offer onClick={() => onAcknowledge(of)} of={transaction}>
            Acknowledge
          </Offer>
        </>
      )}
    </>
  );
}

/** The differences, their meaning, and their dates. */
export function Differences({ of, caption, now, onAcknowledge }: DifferencesProps) {
  return (
    <ListTable
      wide
      caption={caption}
      rows={of}
      rowKey={(one) => `${one.gateway} ${one.day} ${one.transaction_id} ${one.kind} ${one.opened_at}`}
      columns={[
        {
          label: 'Transaction',
          cell: (one) => (
            <Transaction id={one.transaction_id} known={one.kind !== 'unknown_to_us' && one.kind !== 'adjustment'} />
          ),
        },
        {
          label: 'Day',
          cell: (one) => (
            <>
              {formatDay(one.day)}, {gatewayName(one.gateway)}
            </>
          ),
        },
        { label: 'What differs', cell: (one) => one.meaning, long: true },
        { label: 'Our books', cell: (one) => rupees(one.ours_paise), numeric: true },
        { label: 'The gateway', cell: (one) => rupees(one.theirs_paise), numeric: true },
        { label: 'Found', cell: (one) => <When at={one.opened_at} now={now} /> },
        { label: 'Cleared', cell: (one) => <Ending of={one} now={now} onAcknowledge={onAcknowledge} />, long: true },
      ]}
    />
  );
}

const lineColumns: Column<SettlementLine>[] = [
  {
    label: 'Transaction',
    cell: (line) => <Transaction id={line.transaction_id} known={line.kind !== 'adjustment'} />,
    head: true,
  },
  {
    label: 'Movement',
    cell: ({ kind, action }) => `${kinds[kind]}${kind === 'adjustment' && action ? ` (${action})` : ''}`,
  },
  { label: 'Amount', cell: (line) => rupees(line.amount_paise), numeric: true },
  { label: 'Fee', cell: (line) => rupees(line.fee_paise), numeric: true },
  { label: 'GST on the fee', cell: (line) => rupees(line.tax_paise), numeric: true },
  { label: 'Paid out', cell: (line) => (line.settled_at ? rupees(line.net_paise) : 'Not yet'), numeric: true },
  { label: 'UTR', cell: (line) => line.utr || '–' },
  { label: 'Books', cell: (line) => (line.booked_at ? 'Booked' : line.waits_for || 'Open'), long: true },
];

/** The gateway's own lines up to the bank transfer, and what each one missing from the books waits for. */
export function Lines({ of, caption, dated = false }: { of: SettlementLine[]; caption: string; dated?: boolean }) {
  const day: Column<SettlementLine> = {
    label: 'Day',
    cell: (line) => `${formatDay(line.day)}, ${gatewayName(line.gateway)}`,
  };
  return (
    <ListTable
      wide
      caption={caption}
      rows={of}
      rowKey={(line) => `${line.gateway} ${line.line_id}`}
      columns={dated ? [day, ...lineColumns] : lineColumns}
    />
  );
}
