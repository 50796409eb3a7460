import type { ReactNode } from 'react';
import { Table, type TableColumn, type TableProps } from './table';
import type { ListFilterProps } from './list-filter';
import { useRowKeys, type RowActs } from './use-row-keys';
import './list-table.scss';

type ColumnFilter = Omit<ListFilterProps, 'label'> & { label?: string };

export interface Column<Row> extends TableColumn<Row> {
  /** Filters of the list by this column, which have its label unless they name another. */
  filter?: ColumnFilter | readonly ColumnFilter[];
}

export interface ListTableProps<Row> extends TableProps<Row> {
  columns: readonly Column<Row>[];
  /** Too wide for anything below a desktop screen, where it is shown as cards, as on a phone. */
  wide?: boolean;
  /** The list that the page is about: j and k reach it from everywhere on the page. */
  ofPage?: boolean;
  /** Keys that act on the row with the focus, among which the arrows then move, too. */
  keyActs?: RowActs<Row> | undefined;
  /** What to show in place of a table without rows. */
  none?: ReactNode;
}

/** The table of a customer's page, with cards in place of rows below a desktop screen. */
export function DataTable<Row>(table: TableProps<Row>) {
  return <Table {...table} className="data-table" />;
}

/** A table with its own horizontal scrolling, shown as labelled cards on a phone. The keys j and k move between rows. */
export function ListTable<Row>({ wide, ofPage, keyActs, none, ...table }: ListTableProps<Row>) {
  const list = useRowKeys(table.rows, keyActs, ofPage);
  if (none && table.rows.length === 0) return none;
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
      <Table {...table} className="console-table" />
    </div>
  );
}
