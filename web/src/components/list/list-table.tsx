import type { ReactNode } from 'react';
import type { ListFilterProps } from './list-filter';
import { useRowKeys } from './use-row-keys';

type ColumnFilter = Omit<ListFilterProps, 'id' | 'label'> & { label?: string };

export interface Column<Row> {
  /** The heading, and on a phone the label of each cell. */
  label: string;
  cell: (row: Row) => ReactNode;
  /** Numbers end on one line. */
  numeric?: boolean;
  /** Long text, which breaks into several lines. */
  long?: boolean;
  /** Whether the cell names the row, as the first column does unless another one does. */
  head?: boolean;
  /** Filters of the list by this column, which have its label unless they name another. */
  filter?: ColumnFilter | readonly ColumnFilter[];
}

export interface ListTableProps<Row> {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row, index: number) => string | number;
  /** Whether a row is the one that the page shows. */
  isCurrent?: (row: Row) => boolean | undefined;
  /** Too wide for anything below a desktop screen, where it is shown as cards, as on a phone. */
  wide?: boolean;
}

function Cell<Row>({ column, row, heads }: { column: Column<Row>; row: Row; heads: boolean }) {
  const className = [column.long && 'console-clip', column.numeric && 'cell-number'].filter(Boolean).join(' ');
  const shared = className && { className };
  return heads ? (
    <th scope="row" {...shared}>
      {column.cell(row)}
    </th>
  ) : (
    <td data-label={column.label} {...shared}>
      {column.cell(row)}
    </td>
  );
}

/** A table with its own horizontal scrolling, shown as labelled cards on a phone. The keys j and k move between rows. */
export function ListTable<Row>({ caption, columns, rows, rowKey, isCurrent, wide }: ListTableProps<Row>) {
  const onKeyDown = useRowKeys();
  const named = Math.max(
    0,
    columns.findIndex(({ head }) => head),
  );
  return (
    // What scrolls sideways must be reached by the keyboard.
    /* eslint-disable jsx-a11y/no-noninteractive-tabindex, jsx-a11y/no-noninteractive-element-interactions */
    <div
      className={wide ? 'console-scroll console-wide' : 'console-scroll'}
      role="region"
      aria-label={caption}
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      {/* eslint-enable jsx-a11y/no-noninteractive-tabindex, jsx-a11y/no-noninteractive-element-interactions */}
      <table className="console-table">
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ label, numeric }) => (
              <th key={label} scope="col" {...(numeric && { className: 'cell-number' })}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={rowKey(row, index)} aria-current={isCurrent?.(row) || undefined}>
              {columns.map((column, at) => (
                <Cell key={column.label} column={column} row={row} heads={at === named} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
