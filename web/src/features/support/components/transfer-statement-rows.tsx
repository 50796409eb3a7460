import { formatDay } from '@/lib/format';
import type { StatementRow } from '../api/transfers';
import { ConsoleTable } from './console-table';
import { rupees } from './customer-words';
import { fitsText, proposalText } from './transfer-words';

export interface TransferStatementRowsProps {
  rows: StatementRow[];
  /** The numbers of the skipped lines. */
  skipped: number[];
  takable: (row: StatementRow) => boolean;
  onSkip: (skipped: number[]) => void;
}

function standing(row: StatementRow): string {
  if (row.problem) return row.problem;
  if (row.known) return 'Booked already.';
  if (row.dismissed) return 'Dismissed before: choose it only if that was a mistake.';
  if (row.proposals.length > 1) return fitsText(row.proposals);
  const [only] = row.proposals;
  return only ? proposalText(only) : 'No open bill fits.';
}

/** The credits of a statement with their possible bills; the user chooses the credits to enter. */
export function TransferStatementRows({ rows, skipped, takable, onSkip }: TransferStatementRowsProps) {
  return (
    <ConsoleTable
      wide
      caption="Credits of the statement"
      heads={['Enter', 'Line', 'Day', 'UTR', 'Amount', 'From', 'Pays']}
    >
      {rows.map((row) => {
        const can = takable(row);
        return (
          <tr key={row.line}>
            <td data-label="Enter">
              <input
                type="checkbox"
                aria-label={`Enter line ${row.line}`}
                disabled={!can}
                checked={can && !skipped.includes(row.line)}
                onChange={(event) =>
                  onSkip(event.target.checked ? skipped.filter((line) => line !== row.line) : [...skipped, row.line])
                }
              />
            </td>
            <td data-label="Line">{row.line}</td>
            <td data-label="Day">{row.paid_at ? formatDay(row.paid_at) : 'None'}</td>
            <td data-label="UTR" className="text-break">
              {row.utr || 'None'}
            </td>
            <td data-label="Amount">{row.amount_paise > 0 ? rupees(row.amount_paise) : 'None'}</td>
            <td data-label="From" className="console-clip">
              {row.payer_name || row.narration || 'Not said'}
            </td>
            <td data-label="Pays" className="console-clip">
              {row.problem ? <strong>{standing(row)}</strong> : standing(row)}
            </td>
          </tr>
        );
      })}
    </ConsoleTable>
  );
}
