import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Pagination } from '@/ui/pagination';
import { Async, EmptyState } from '@/ui/states';
import { ListFilter } from './list-filter';
import { ListSearch, type ListSearchProps } from './list-search';
import { ListTable, type ListTableProps } from './list-table';
import { PageBar } from './page-bar';

/** One page of a list, as the server answers it. */
export interface ListData<Row> {
  data: Row[];
  current_page: number;
  last_page: number;
  total?: number;
  next_page_url?: string | null;
}

/** The position at which the next page begins, if the list has positions. */
const afterOf = ({ next_page_url: next }: ListData<unknown>) =>
  new URLSearchParams(next?.split('?')[1]).get('after') ?? undefined;

export interface ListPageProps<Row> extends Omit<ListTableProps<Row>, 'rows' | 'caption' | 'ofPage' | 'none'> {
  /** The name of the rows: "Credit notes". */
  title: string;
  /** The caption of the table, if it is not the title. */
  caption?: string;
  query: UseQueryResult<ListData<Row>>;
  /** The rows in a sentence: "the credit notes". */
  what: string;
  /** The name of the pages, if it is not that of the rows. */
  pages?: string;
  search?: ListSearchProps;
  /** Buttons and links beside the filters, such as the download as CSV. */
  acts?: ReactNode;
  /** What stands between the heading and the list, such as saved views. */
  intro?: ReactNode;
  /** Why the list may be empty and what to do. */
  empty: ReactNode;
  emptyTitle?: string;
  /** Whether the page has its heading already. */
  untitled?: boolean;
}

function Count({ of: { data, last_page: pages, total } }: { of: ListData<unknown> }) {
  if (total === undefined || pages <= 1) return null;
  return (
    <p className="console-hint">
      {data.length.toLocaleString('en-IN')} of {total.toLocaleString('en-IN')}
    </p>
  );
}

/** A list of the console: heading, filters of its columns, count, table and pages, with loading, empty and failed states. */
export function ListPage<Row>(props: ListPageProps<Row>) {
  const { title, query, what, search, acts, intro, empty, emptyTitle = 'Nothing here', untitled } = props;
  const { pages = what.replace(/^the /, '') } = props;
  const { caption = title, columns, rowKey, wide } = props;
  const list = query.data;
  const hasBar = Boolean(search ?? acts) || columns.some(({ filter }) => filter);
  const bar = (
    <>
      {columns.flatMap(({ label, filter = [] }) =>
        [filter].flat().map((one) => <ListFilter key={one.name} label={label} {...one} />),
      )}
      {search && <ListSearch {...search} />}
      {acts}
    </>
  );
  return (
    <>
      {!untitled && <PageBar title={title}>{bar}</PageBar>}
      {untitled && hasBar && <div className="console-bar">{bar}</div>}
      {intro}
      <Async query={query} what={what} lines={6} />
      {list?.data.length === 0 && <EmptyState title={emptyTitle}>{empty}</EmptyState>}
      {list && list.data.length > 0 && (
        <>
          <Count of={list} />
          <ListTable
            ofPage
            caption={caption}
            rows={list.data}
            columns={columns}
            rowKey={rowKey}
            {...(wide && { wide })}
          />
        </>
      )}
      {list && (
        <Pagination
          label={`Pages of ${pages}`}
          current={list.current_page}
          last={list.last_page}
          after={afterOf(list)}
        />
      )}
    </>
  );
}
