import { useState } from 'react';
import { Button } from '@/ui/button';
import { NativeSelectField } from '@/ui/form/native-select-field';
import { ListTable } from '@/ui/list/list-table';
import type { BankStatement, StatementChoice, StatementColumn } from '../api/transfers';

const columnNames: Record<StatementColumn, string> = {
  day: 'Day of the transaction',
  value_day: 'Value date',
  credit: 'Money in',
  debit: 'Money out',
  amount: 'Amount, in or out',
  direction: 'In or out (CR, DR)',
  reference: 'UTR or reference',
  narration: 'Narration',
  payer: 'Payer',
  balance: 'Balance',
  balance_direction: 'CR or DR of the balance',
  ignored: 'Not needed',
};

export interface TransferColumnsProps {
  of: BankStatement;
  pending: boolean;
  onChoose: (choice: StatementChoice) => void;
}

/** Lets the user map a statement's columns, next to its first lines. */
export function TransferColumns({ of: statement, pending, onChoose }: TransferColumnsProps) {
  const [line, setLine] = useState(statement.line);
  const [columns, setColumns] = useState<(StatementColumn | '')[]>(statement.columns);
  const [incomplete, setIncomplete] = useState(false);
  const chooseColumns = (chosen: (StatementColumn | '')[]) => {
    setIncomplete(false);
    setColumns(chosen);
  };
  const chooseLine = (chosen: number) => {
    const cells = statement.sample.find((one) => one.line === chosen)?.cells ?? [];
    setLine(chosen);
    chooseColumns(chosen === statement.line ? statement.columns : cells.map(() => ''));
  };
  const choose = () => {
    const known = columns.filter((column) => column !== '');
    setIncomplete(known.length < columns.length);
    if (known.length === columns.length)
      onChoose({ line, columns: known, ...(statement.day_order && { day_order: statement.day_order }) });
  };
  const shown = statement.sample.filter((one) => one.line >= line);
  return (
    <section aria-labelledby="statement-columns">
      <h3 id="statement-columns">Which column is which?</h3>
      <p className="console-hint">
        Choose a day, money in (or an amount, with its direction), and a UTR or a narration. Once you enter credits, the
        choice is remembered for files with the same headings.
      </p>
      <NativeSelectField
        box="field console-narrow"
        label="Line with the headings"
        options={statement.sample.map((one) => [
          String(one.line),
          `Line ${one.line}: ${one.cells.filter(Boolean).join(' | ').slice(0, 80)}`,
        ])}
        value={String(line)}
        onChange={(chosen) => chooseLine(Number(chosen))}
      />
      <SampleTable lines={shown} columns={columns} onColumns={chooseColumns} />
      {incomplete && (
        <p role="alert" className="console-error">
          Choose what each column holds. Choose “Not needed” for the others.
        </p>
      )}
      <Button className="mt-3" pending={pending} onClick={choose}>
        Read with these columns
      </Button>
    </section>
  );
}

interface SampleTableProps {
  lines: BankStatement['sample'];
  columns: (StatementColumn | '')[];
  onColumns: (columns: (StatementColumn | '')[]) => void;
}

function SampleTable({ lines: [head, ...rows], columns, onColumns }: SampleTableProps) {
  return (
    <div className="mt-3">
      <ListTable
        caption="The first lines of the file"
        rows={rows}
        rowKey={(row) => row.line}
        columns={columns.map((column, at) => ({
          label: `Column ${at + 1}, ${head?.cells[at] || 'no heading'}`,
          heading: (
            <>
              <span className="d-block">{head?.cells[at] || 'No heading'}</span>
              <NativeSelectField
                box=""
                label={`Column ${at + 1}, ${head?.cells[at] || 'no heading'}`}
                hideLabel
                empty="Choose"
                options={Object.entries(columnNames) as [StatementColumn, string][]}
                value={column}
                onChange={(chosen) => onColumns(columns.map((one, i) => (i === at ? chosen : one)))}
              />
            </>
          ),
          head: false,
          long: true,
          cell: (row: BankStatement['sample'][number]) => row.cells[at],
        }))}
      />
    </div>
  );
}
