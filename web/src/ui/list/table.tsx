// Displayed as blocks on small screens, table elements keep their roles only if these are explicit.
/* eslint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role */
import type { ReactNode } from 'react';

export interface TableColumn<Row> {
  /** The heading, and on a phone the label of each cell; empty above the names of the rows. */
  label: string;
  /** What stands in place of the heading, such as a choice for the column. */
  heading?: ReactNode;
  /** A class of the heading and of the cells. */
  className?: string;
  cell: (row: Row) => ReactNode;
  /** Numbers end on one line. */
  numeric?: boolean;
  /** Long text, which breaks into several lines. */
  long?: boolean;
  /** Long text that takes the free width of the table and ends after two lines. */
  free?: boolean;
  /** Buttons: the heading is for assistive technology only. */
  actions?: boolean;
  /** Whether the cell names the row, as the first column does unless another one does, or the first one says that none does. */
  head?: boolean;
}

export interface TableProps<Row> {
  caption: string;
  columns: readonly TableColumn<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row, index: number) => string | number;
  /** Whether a row is the one that the page shows. */
  isCurrent?: (row: Row) => boolean | undefined;
  rowClass?: ((row: Row) => string | undefined) | undefined;
}

interface Looks {
  id?: string;
  className?: string;
  /** Whether all headings are for assistive technology only. */
  headless?: boolean;
}

const classOf = ({ className, long, free, numeric, actions }: Omit<TableColumn<never>, 'cell' | 'label'>) =>
  [
    className,
    (long || free) && 'console-clip',
    free && 'console-free',
    numeric && 'cell-number',
    actions && 'cell-actions',
  ]
    .filter(Boolean)
    .join(' ') || undefined;

function Head<Row>({ columns, headless }: { columns: readonly TableColumn<Row>[]; headless: boolean | undefined }) {
  if (!columns.some(({ label }) => label)) return null;
  return (
    <thead role="rowgroup" className={headless ? 'visually-hidden' : undefined}>
      <tr role="row">
        {columns.map((column) =>
          column.label ? (
            <th key={column.label} scope="col" role="columnheader" className={classOf(column)}>
              {column.heading ??
                (column.actions ? <span className="visually-hidden">{column.label}</span> : column.label)}
            </th>
          ) : (
            <td key="" role="cell" />
          ),
        )}
      </tr>
    </thead>
  );
}

function Cell<Row>({ column, row, heads }: { column: TableColumn<Row>; row: Row; heads: boolean }) {
  const shared = { className: classOf(column), 'data-label': (!column.actions && column.label) || undefined };
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

/** A table, which looks as its class says. */
export function Table<Row>({
  caption,
  columns,
  rows,
  rowKey,
  isCurrent,
  id,
  className,
  rowClass,
  headless,
}: TableProps<Row> & Looks) {
  const marked = columns.findIndex(({ head }) => head);
  const named = marked < 0 && columns[0]?.head !== false ? 0 : marked;
  return (
    <table id={id} className={className} role="table">
      <caption className="visually-hidden">{caption}</caption>
      <Head columns={columns} headless={headless} />
      <tbody role="rowgroup">
        {rows.map((row, index) => (
          <tr
            key={rowKey(row, index)}
            role="row"
            className={rowClass?.(row)}
            aria-current={isCurrent?.(row) || undefined}
          >
            {columns.map((column, at) => (
              <Cell key={column.label || at} column={column} row={row} heads={at === named} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
