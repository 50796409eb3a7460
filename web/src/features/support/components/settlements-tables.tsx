import { Link } from 'react-router';
import { Button } from '@/components/button';
import { formatDay } from '@/lib/format';
import type { SettlementDifference, SettlementLine } from '../api/help';
import { ConsoleTable } from './console-table';
import { gatewayName, rupees } from './customer-words';
import { When } from './when';

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
          <Button variant="outline" size="sm" onClick={() => onAcknowledge(of)}>
            Acknowledge<span className="visually-hidden"> {transaction}</span>
          </Button>
        </>
      )}
    </>
  );
}

/** The differences, their meaning, and their dates. */
export function Differences({ of, caption, now, onAcknowledge }: DifferencesProps) {
  return (
    <ConsoleTable
      wide
      caption={caption}
      heads={['Transaction', 'Day', 'What differs', 'Our books', 'The gateway', 'Found', 'Cleared']}
    >
      {of.map((one) => (
        <tr key={`${one.gateway} ${one.day} ${one.transaction_id} ${one.kind} ${one.opened_at}`}>
          <th scope="row">
            <Transaction id={one.transaction_id} known={one.kind !== 'unknown_to_us' && one.kind !== 'adjustment'} />
          </th>
          <td data-label="Day">
            {formatDay(one.day)}, {gatewayName(one.gateway)}
          </td>
          <td data-label="What differs" className="console-clip">
            {one.meaning}
          </td>
          <td data-label="Our books">{rupees(one.ours_paise)}</td>
          <td data-label="The gateway">{rupees(one.theirs_paise)}</td>
          <td data-label="Found">
            <When at={one.opened_at} now={now} />
          </td>
          <td data-label="Cleared" className="console-clip">
            <Ending of={one} now={now} onAcknowledge={onAcknowledge} />
          </td>
        </tr>
      ))}
    </ConsoleTable>
  );
}

/** The gateway's own lines up to the bank transfer, and what each one missing from the books waits for. */
export function Lines({ of, caption, dated = false }: { of: SettlementLine[]; caption: string; dated?: boolean }) {
  const heads = ['Transaction', 'Movement', 'Amount', 'Fee', 'GST on the fee', 'Paid out', 'UTR', 'Books'];
  return (
    <ConsoleTable wide caption={caption} heads={dated ? ['Day', ...heads] : heads}>
      {of.map((line) => (
        <tr key={`${line.gateway} ${line.line_id}`}>
          {dated && (
            <td data-label="Day">
              {formatDay(line.day)}, {gatewayName(line.gateway)}
            </td>
          )}
          <th scope="row">
            <Transaction id={line.transaction_id} known={line.kind !== 'adjustment'} />
          </th>
          <td data-label="Movement">
            {kinds[line.kind]}
            {line.kind === 'adjustment' && line.action && ` (${line.action})`}
          </td>
          <td data-label="Amount">{rupees(line.amount_paise)}</td>
          <td data-label="Fee">{rupees(line.fee_paise)}</td>
          <td data-label="GST on the fee">{rupees(line.tax_paise)}</td>
          <td data-label="Paid out">{line.settled_at ? rupees(line.net_paise) : 'Not yet'}</td>
          <td data-label="UTR">{line.utr || '–'}</td>
          <td data-label="Books" className="console-clip">
            {line.booked_at ? 'Booked' : line.waits_for || 'Open'}
          </td>
        </tr>
      ))}
    </ConsoleTable>
  );
}
