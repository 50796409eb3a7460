import { CheckboxField } from '@/ui/form/checkbox-field';
import { ListTable } from '@/ui/list/list-table';
import { formatDay } from '@/lib/format';
import type { StatementRow } from '../api/transfers';
import { rupees } from '../customers/customer-words';
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
  if (row.returned_by > 0)
    return `Line ${row.returned_by} of this file returns it: choose it only if the money stayed.`;
  if (row.proposals.length > 1) return fitsText(row.proposals);
  const [only] = row.proposals;
  return only ? proposalText(only) : 'No open bill fits.';
}

/** The credits of a statement with their possible bills; the user chooses the credits to enter. */
export function TransferStatementRows({ rows, skipped, takable, onSkip }: TransferStatementRowsProps) {
  return (
    <ListTable
      wide
      caption="Credits of the statement"
      rows={rows}
      rowKey={(row) => row.line}
      columns={[
        {
          label: 'Enter',
          cell: ({ line, ...row }) => (
            <CheckboxField
              box=""
              label={`Enter line ${line}`}
              hideLabel
              disabled={!takable({ line, ...row })}
              checked={takable({ line, ...row }) && !skipped.includes(line)}
              onChange={(takes) => onSkip(takes ? skipped.filter((one) => one !== line) : [...skipped, line])}
            />
          ),
        },
        { label: 'Line', cell: (row) => row.line, head: true },
        { label: 'Day', cell: (row) => (row.paid_at ? formatDay(row.paid_at) : 'None') },
        { label: 'UTR', cell: (row) => <span className="text-break">{row.utr || 'None'}</span> },
        { label: 'Amount', cell: (row) => (row.amount_paise > 0 ? rupees(row.amount_paise) : 'None'), numeric: true },
        { label: 'From', cell: (row) => row.payer_name || row.narration || 'Not said', long: true },
        { label: 'Pays', cell: (row) => (row.problem ? <strong>{standing(row)}</strong> : standing(row)), long: true },
      ]}
    />
  );
}
