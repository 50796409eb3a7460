// Displayed as blocks on small screens, table elements keep their roles only if these are explicit.
/* eslint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role */
import type { ReactNode } from 'react';

export interface Column<Row> {
  /** The heading, and the label of the value on small screens. */
  title: string;
  cell: (row: Row) => ReactNode;
  /** Numbers are aligned to the end of their column. */
  numeric?: boolean;
  /** A column of buttons: its heading is for assistive technology only. */
  actions?: boolean;
}

export interface DataTableProps<Row> {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
}

/** A table from 992 px up; below that, each row is a card of labelled values. */
export function DataTable<Row>({ caption, columns, rows, rowKey }: DataTableProps<Row>) {
  return (
    <table className="data-table" role="table">
      <caption className="visually-hidden">{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(({ title, numeric, actions }) => (
            <th key={title} scope="col" role="columnheader" className={numeric ? 'cell-numeric' : undefined}>
              {actions ? <span className="visually-hidden">{title}</span> : title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <tr key={rowKey(row)} role="row">
            {columns.map(({ title, cell, numeric, actions }) => (
              <td
                key={title}
                role="cell"
                className={`${numeric ? 'cell-numeric tabular' : ''} ${actions ? 'cell-actions' : ''}`}
              >
                {!actions && (
                  <span className="cell-label" aria-hidden="true">
                    {title}
                  </span>
                )}
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
