import type { UseQueryResult } from '@tanstack/react-query';
import { Fragment, type ReactNode } from 'react';
import { Pagination } from '@/ui/pagination';
import { Async, EmptyState, type EmptyStateProps } from '@/ui/states';
import { CursorPages } from './cursor-pages';
import { ListFilter, type ListFilterProps } from './list-filter';
import { ListSearch, type ListSearchProps } from './list-search';
import { ListTable, type ListTableProps } from './list-table';
import { PageBar } from './page-bar';

/** One page of a list, as the server answers it: a page with a number, or one that begins at a position. */
export interface ListData<Row> {
  data: readonly Row[];
  current_page?: number;
  last_page?: number;
  total?: number;
  next_page_url?: string | null;
  /** The position of the next page, for a list without numbers of pages. */
  next?: string | number | null | undefined;
}

type ListQuery<Row> = Pick<UseQueryResult<ListData<Row>>, 'data' | 'error' | 'refetch'>;

/** The query of a list whose answer has the rows under another name. */
export const listOf = <Row, Data>(
  { data, error, refetch }: Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch'>,
  of: (data: Data) => ListData<Row>,
) => ({ data: data && of(data), error, refetch }) as ListQuery<Row>;

/** The position at which the next page begins, if the list has positions. */
const afterOf = ({ next_page_url: next }: ListData<unknown>) =>
  new URLSearchParams(next?.split('?')[1]).get('after') ?? undefined;

/** How the rows are shown: as a table, or each in a way of its own. */
type Shape<Row> =
  | (Omit<ListTableProps<Row>, 'rows' | 'caption' | 'ofPage' | 'none'> & { card?: undefined })
  | { card: (row: Row) => ReactNode; rowKey: ListTableProps<Row>['rowKey']; columns?: undefined };

interface ListPageOptions<Row> {
  /** The name of the rows: "Credit notes". */
  title: string;
  /** The caption of the table, if it is not the title. */
  caption?: string;
  query: ListQuery<Row>;
  /** The rows in a sentence: "the credit notes". */
  what: string;
  /** The name of the pages, if it is not that of the rows. */
  pages?: string;
  /** Filters that belong to no column. */
  filters?: readonly ListFilterProps[];
  search?: ListSearchProps | readonly ListSearchProps[];
  /** Buttons and links beside the filters, such as the download as CSV. */
  acts?: ReactNode;
  /** What stands between the heading and the list, such as saved views. */
  intro?: ReactNode;
  /** Why the list may be empty and what to do. */
  empty: ReactNode;
  emptyTitle?: string;
  emptyIcon?: EmptyStateProps['icon'];
  /** Whether the page has its heading already. */
  untitled?: boolean;
  /** The list that holds the cards. */
  list?: (cards: ReactNode) => ReactNode;
  /** Reports a failed refresh even though older rows are shown. */
  tellStale?: boolean;
  /** The height of the placeholder, as for `Skeleton`. */
  lines?: 4 | 6 | 8;
}

export type ListPageProps<Row> = ListPageOptions<Row> & Shape<Row>;

function Count({ of: { data, last_page: pages = 1, total } }: { of: ListData<unknown> }) {
  if (total === undefined || pages <= 1) return null;
  return (
    <p className="console-hint">
      {data.length.toLocaleString('en-IN')} of {total.toLocaleString('en-IN')}
    </p>
  );
}

const inCards = (cards: ReactNode) => <ul className="console-contacts">{cards}</ul>;

function Rows<Row>({ list, ...props }: ListPageProps<Row> & { list: (cards: ReactNode) => ReactNode }) {
  const { title, caption = title, query, rowKey } = props;
  const { data } = query;
  if (!data || data.data.length === 0) return null;
  if (props.card) {
    const { card } = props;
    return list(data.data.map((row, index) => <Fragment key={rowKey(row, index)}>{card(row)}</Fragment>));
  }
  const { columns, wide, rowClass, keyActs } = props;
  return (
    <>
      <Count of={data} />
      <ListTable
        ofPage
        caption={caption}
        rows={data.data}
        columns={columns}
        rowKey={rowKey}
        rowClass={rowClass}
        keyActs={keyActs}
        {...(wide && { wide })}
      />
    </>
  );
}

function Pages({ label, of: list }: { label: string; of: ListData<unknown> }) {
  if (list.last_page === undefined) return <CursorPages label={label} next={list.next} />;
  return <Pagination label={label} current={list.current_page ?? 1} last={list.last_page} after={afterOf(list)} />;
}

/** A list of the console: heading, filters of its columns, count, rows and pages, with loading, empty and failed states. */
export function ListPage<Row>(props: ListPageProps<Row>) {
  const { title, query, what, filters = [], search = [], acts, intro, empty, untitled, tellStale, lines = 6 } = props;
  const { pages = what.replace(/^the /, ''), emptyTitle = 'Nothing here', emptyIcon, list = inCards } = props;
  const all = [
    ...filters,
    ...(props.columns ?? []).flatMap(({ label, filter = [] }) => [filter].flat().map((one) => ({ label, ...one }))),
  ];
  const searches = [search].flat();
  const bar = (
    <>
      {all.map((one) => (
        <ListFilter key={one.name} {...one} />
      ))}
      {searches.map((one) => (
        <ListSearch key={one.label} {...one} />
      ))}
      {acts}
    </>
  );
  return (
    <>
      {!untitled && <PageBar title={title}>{bar}</PageBar>}
      {untitled && (all.length + searches.length > 0 || Boolean(acts)) && <div className="console-bar">{bar}</div>}
      {intro}
      <Async query={query} what={what} lines={lines} {...(tellStale && { tellStale })} />
      {query.data?.data.length === 0 && (
        <EmptyState title={emptyTitle} {...(emptyIcon && { icon: emptyIcon })}>
          {empty}
        </EmptyState>
      )}
      <Rows {...props} list={list} />
      {query.data && <Pages label={`Pages of ${pages}`} of={query.data} />}
    </>
  );
}
