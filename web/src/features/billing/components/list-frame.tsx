import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import DownloadIcon from 'bootstrap-icons/icons/filetype-csv.svg?component';
import { useMutation, type UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button, ButtonLink } from '@/ui/button';
import { Notice } from '@/ui/notice';
import { PastEnd } from '@/ui/list/past-end';
import { Pagination } from '@/ui/pagination';
import { Async, EmptyState } from '@/ui/states';
import { explain } from '@/lib/api/errors';
import { useSession } from '@/lib/session/session';
import { useSlow } from '@/lib/use-slow';
import { saveFile, type NamedFile } from '@/lib/save-file';
import { useListQuery } from '../list';

/** The server stops counting here; larger lists show "more than". */
const COUNTED = 10_000;

interface Page<Row> {
  data: Row[];
  current_page: number;
  last_page: number;
  total: number;
}

export interface ListFrameProps<Row> {
  query: UseQueryResult<Page<Row>>;
  /** The name of the rows: "orders". */
  many: string;
  /** A number of rows: "1 order". */
  counted: (total: number) => string;
  /** Fetches all matching rows as a file. */
  exportAll: (search: string | undefined) => Promise<NamedFile>;
  children: (rows: Row[]) => ReactNode;
}

function Empty({ many, searched }: { many: string; searched: boolean }) {
  const { eraseOn } = useSession();
  const action = !searched && !eraseOn && <ButtonLink to="/pricing">{t`Explore Our Plans`}</ButtonLink>;
  return (
    <EmptyState title={t`Data not found`} action={action}>
      {searched
        ? t`Nothing matches your search. Try a plan, an invoice number or an order id.`
        : eraseOn
          ? t`You have no ${many}.`
          : t`Your ${many} show here once you have chosen a plan.`}
    </EmptyState>
  );
}

/** Announces that the file is being written, and again if it takes long. */
function ExportProgress({ running, many }: { running: boolean; many: string }) {
  const patience = useSlow(running);
  return (
    <p role="status" className="text-muted text-sm">
      {running &&
        (patience === 'fine'
          ? t`Writing all your ${many} into a file…`
          : t`Still working: the file takes longer than usual.`)}
    </p>
  );
}

/** What orders and payments share: count, export, paging and loading states. */
export function ListFrame<Row>({ query, many, counted, exportAll, children }: ListFrameProps<Row>) {
  const { search } = useListQuery();
  const save = useMutation({ mutationFn: () => exportAll(search), onSuccess: saveFile });
  const page = query.data;
  if (!page) return <Async query={query} what={t`your ${many}`} lines={6} />;
  const empty = page.data.length === 0;
  const pastEnd = empty && page.current_page > 1;
  return (
    <div className={query.isPlaceholderData ? 'is-updating' : undefined} aria-busy={query.isFetching}>
      <div className="list-head">
        <p role="status" className="text-muted">
          {page.total > COUNTED ? t`More than ${COUNTED.toLocaleString('en-IN')} ${many}` : counted(page.total)}
          {search && ' '}
          {search && t`for “${search}”`}
        </p>
        {page.total > 0 && (
          <Button variant="outline" size="sm" pending={save.isPending} onClick={() => save.mutate()}>
            {!save.isPending && <DownloadIcon />}
            {t`Export CSV`}
            <span className="visually-hidden">{t` of all ${many}`}</span>
          </Button>
        )}
      </div>
      <ExportProgress running={save.isPending} many={many} />
      {save.isError && <Notice tone="danger" live>{t`The export failed. ${explain(save.error)}`}</Notice>}
      {query.isError && (
        <Notice tone="danger" live>
          <Trans>
            This may be out of date. {explain(query.error)}{' '}
            <button type="button" className="btn-text" onClick={() => void query.refetch()}>
              Retry
            </button>
          </Trans>
        </Notice>
      )}
      {pastEnd && <PastEnd />}
      {empty && !pastEnd && <Empty many={many} searched={Boolean(search)} />}
      {!empty && children(page.data)}
      {!pastEnd && <Pagination label={t`Pages of ${many}`} current={page.current_page} last={page.last_page} />}
    </div>
  );
}
