// Displayed as blocks on small screens, table elements keep their roles only if these are explicit.
/* eslint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role */
import type { ReactNode } from 'react';
import type { ListFilterProps } from './list-filter';
import { useRowKeys } from './use-row-keys';
import './list-table.scss';

type ColumnFilter = Omit<ListFilterProps, 'label'> & { label?: string };

export interface Column<Row> {
  /** The heading, and on a phone the label of each cell. */
  label: string;
  cell: (row: Row) => ReactNode;
  /** Numbers end on one line. */
  numeric?: boolean;
  /** Long text, which breaks into several lines. */
  long?: boolean;
  /** Long text that takes the free width of the table and ends after two lines. */
  free?: boolean;
  /** Buttons: the heading is for assistive technology only. */
  actions?: boolean;
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
  /** The list that the page is about: j and k reach it from everywhere on the page. */
  ofPage?: boolean;
}

type Looks = Pick<Column<unknown>, 'long' | 'free' | 'numeric' | 'actions'>;

const classOf = ({ long, free, numeric, actions }: Looks) =>
  [(long || free) && 'console-clip', free && 'console-free', numeric && 'cell-number', actions && 'cell-actions']
    .filter(Boolean)
    .join(' ') || undefined;

function Cell<Row>({ column, row, heads }: { column: Column<Row>; row: Row; heads: boolean }) {
  const shared = { className: classOf(column), 'data-label': column.actions ? undefined : column.label };
  return heads ? (
    <th scope="row" role="rowheader" {...shared}>
      {column.cell(row)}
    </th>
  ) : (
    <td role="cell" {...shared}>
      {column.free ? <div className="console-two-lines">{column.cell(row)}</div> : column.cell(row)}
    </td>
  );
}

/** The table itself. On customers' pages, rows are cards below a desktop screen. */
export function DataTable<Row>({
  caption,
  columns,
  rows,
  rowKey,
  isCurrent,
  className = 'data-table',
}: Omit<ListTableProps<Row>, 'wide' | 'ofPage'> & { className?: string }) {
  const named = Math.max(
    0,
    columns.findIndex(({ head }) => head),
  );
  return (
    <table className={className} role="table">
      <caption className="visually-hidden">{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map((column) => (
            <th key={column.label} scope="col" role="columnheader" className={classOf(column)}>
              {column.actions ? <span className="visually-hidden">{column.label}</span> : column.label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row, index) => (
          <tr key={rowKey(row, index)} role="row" aria-current={isCurrent?.(row) || undefined}>
            {columns.map((column, at) => (
              <Cell key={column.label} column={column} row={row} heads={at === named} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A table with its own horizontal scrolling, shown as labelled cards on a phone. The keys j and k move between rows. */
export function ListTable<Row>({ wide, ofPage, ...table }: ListTableProps<Row>) {
  const list = useRowKeys(ofPage);
  return (
    // What scrolls sideways must be reached by the keyboard.
    /* eslint-disable jsx-a11y/no-noninteractive-tabindex */
    <div
      ref={list}
      className={wide ? 'console-scroll console-wide' : 'console-scroll'}
      role="region"
      aria-label={table.caption}
      tabIndex={0}
    >
      {/* eslint-enable jsx-a11y/no-noninteractive-tabindex */}
      <DataTable {...table} className="console-table" />
    </div>
  );
}
