import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { Button } from '@/components/button';
import { EmptyState, ErrorState, Loading, Skeleton } from '@/components/states';
import { usePageMeta } from '@/lib/page-meta';
import { toast } from '@/lib/toast';
import '@/styles/support-jobs.scss';
import { failedJobsQuery, summaryQuery, type FailedJob, type JobAction } from '../api/jobs';
import { JobsAct, type Intent } from './jobs-act';
import { JobsChart } from './jobs-chart';
import { JobDetail } from './jobs-detail';
import { count, filterOf, filterParams } from './jobs-filter';
import { JobsFilters } from './jobs-filters';
import { JobsGroups } from './jobs-groups';
import { JobsHistory } from './jobs-history';
import { JobsOperation } from './jobs-operation';
import { JobsTable } from './jobs-table';
import { useNow } from './when';

const done: Record<JobAction, string> = {
  rerun: 'will run again',
  cancel: 'is cancelled',
  dismiss: 'is dismissed',
  snooze: 'is snoozed',
};

/** Jobs that failed: when, why, and what can be done, one or ten thousand of them, by mouse or keyboard. */
export function JobsPage() {
  usePageMeta({ title: 'Failed jobs' });
  const [params, setParams] = useSearchParams();
  const queries = useQueryClient();
  const now = useNow();
  const narrowing = filterParams.map((name) => `${name}=${encodeURIComponent(params.get(name) ?? '')}`).join('&');
  const filter = useMemo(() => filterOf(new URLSearchParams(narrowing), Date.now()), [narrowing]);
  const list = useInfiniteQuery(failedJobsQuery(filter));
  const seen = list.data?.pages[0]?.first ?? '';
  const summary = useQuery(summaryQuery(filter, seen));
  const jobs = useMemo(() => list.data?.pages.flatMap((page) => page.jobs) ?? [], [list.data]);
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [all, setAll] = useState(false);
  const [intent, setIntent] = useState<Intent>();
  const opened = Number(params.get('job')) || 0;
  const operation = params.get('operation') ?? '';

  const set = useCallback(
    (next: Record<string, string>) =>
      setParams(
        (old) =>
          new URLSearchParams(Object.entries({ ...Object.fromEntries(old), ...next }).filter(([, value]) => value)),
        { replace: true },
      ),
    [setParams],
  );
  const unchoose = useCallback(() => {
    setChosen(new Set());
    setAll(false);
  }, []);
  const asked = useRef(false);
  const narrow = useCallback(
    (next: Record<string, string>) => {
      asked.current = false;
      unchoose();
      set(next);
    },
    [set, unchoose],
  );
  const refresh = useCallback(() => {
    void queries.invalidateQueries({ queryKey: failedJobsQuery(filter).queryKey });
    void queries.invalidateQueries({ queryKey: summaryQuery(filter, seen).queryKey });
  }, [queries, filter, seen]);
  // Nothing is there that could be moved away, so what fails from now on is shown at once.
  const { isSuccess, refetch } = list;
  const missed = isSuccess && jobs.length === 0 && (summary.data?.total ?? 0) > 0;
  const { dataUpdatedAt: countedAt } = summary;
  useEffect(() => {
    if (missed) void refetch();
  }, [missed, countedAt, refetch]);
  const handleFinished = useCallback(() => refresh(), [refresh]);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const handleNearEnd = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  const toggle = useCallback((id: number) => {
    setAll(false);
    setChosen((old) => {
      const next = new Set(old);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  }, []);
  const handleOpen = useCallback((id: number) => set({ job: String(id) }), [set]);

  const total = Math.max(0, (summary.data?.total ?? jobs.length) - (summary.data?.newer ?? 0));
  const picked = all ? total : chosen.size;
  const intend = (action: JobAction, job?: FailedJob) => {
    if (all) setIntent({ action, ids: [], all: { filter: { ...filter, seen }, total } });
    else setIntent({ action, ids: chosen.size > 0 ? [...chosen] : job ? [job.id] : [] });
  };
  const handleDone = (id: string | undefined) => {
    if (intent && !id) toast.success(`Job ${intent.ids[0]} ${done[intent.action]}.`);
    setIntent(undefined);
    unchoose();
    set({ operation: id ?? operation, job: '' });
    refresh();
  };
  const newer = summary.data?.newer ?? 0;
  // Whoever asks for the new ones goes on at the newest, because the button is gone then.
  const newest = jobs[0]?.id;
  useEffect(() => {
    if (asked.current) document.querySelector<HTMLElement>('.jobs-table [data-index="0"]')?.focus();
    asked.current = false;
  }, [newest]);
  const handleNewer = () => {
    asked.current = true;
    refresh();
  };
  return (
    <>
      <div className="console-bar">
        <h1>Failed jobs</h1>
        <span role="status">{summary.data ? count(total, 'job') : ''}</span>
      </div>
      <JobsFilters params={params} facets={summary.data?.facets ?? []} onChange={narrow} />
      {!summary.data && summary.error && !list.error && (
        <ErrorState error={summary.error} onRetry={() => void summary.refetch()} what="the counts" />
      )}
      {summary.data && <JobsChart summary={summary.data} onChoose={(from, to) => narrow({ from, to, since: '' })} />}
      {summary.data && summary.data.groups.length > 0 && (
        <JobsGroups
          groups={summary.data.groups}
          chosen={params.get('cause') ?? ''}
          now={now}
          onChoose={(group) => narrow({ cause: group?.key ?? '', kind: group?.kind ?? '' })}
        />
      )}
      {operation && (
        <JobsOperation
          key={operation}
          id={operation}
          onFinished={handleFinished}
          onAgain={(ids) => setIntent({ action: 'rerun', ids })}
          now={now}
          onOpen={handleOpen}
          onClose={() => set({ operation: '' })}
        />
      )}
      {!operation && <JobsHistory now={now} onOpen={(id) => set({ operation: id })} />}
      {newer > 0 && picked === 0 && (
        <div role="status" className="jobs-newer">
          <Button size="sm" variant="outline" onClick={handleNewer}>
            {newer.toLocaleString('en-IN')} new
          </Button>
        </div>
      )}
      {picked > 0 && (
        <div className="console-batch" role="region" aria-label="Chosen jobs">
          <strong role="status">{picked.toLocaleString('en-IN')} chosen</strong>
          <Button size="sm" onClick={() => intend('rerun')}>
            Rerun
          </Button>
          {!all && total > chosen.size && (
            <Button size="sm" variant="quiet" onClick={() => setAll(true)}>
              Choose all {total.toLocaleString('en-IN')} that match
            </Button>
          )}
          <Button size="sm" variant="outline" onClick={() => intend('snooze')}>
            Snooze
          </Button>
          <Button size="sm" variant="outline" onClick={() => intend('dismiss')}>
            Dismiss
          </Button>
          <Button size="sm" variant="outline" onClick={() => intend('cancel')}>
            Cancel jobs
          </Button>
          <Button size="sm" variant="quiet" onClick={unchoose}>
            Choose none
          </Button>
        </div>
      )}
      {list.error && <ErrorState error={list.error} onRetry={() => void list.refetch()} what="the jobs" />}
      {list.isPending && (
        <Loading what="the jobs">
          <Skeleton lines={8} />
        </Loading>
      )}
      {list.data && jobs.length === 0 && (
        <EmptyState title="No failed jobs">
          {Object.keys(filter).length > 0
            ? 'Nothing matches these filters.'
            : 'Everything that was begun was done. What fails from now on appears here.'}
        </EmptyState>
      )}
      {jobs.length > 0 && (
        <JobsTable
          jobs={jobs}
          total={total}
          now={now}
          chosen={chosen}
          all={all}
          onToggle={toggle}
          onAll={() => setAll(true)}
          onOpen={handleOpen}
          onAct={intend}
          onNearEnd={handleNearEnd}
        />
      )}
      {opened > 0 && !intent && (
        <JobDetail
          id={opened}
          onAct={(action, id) => setIntent({ action, ids: [id] })}
          onClose={() => set({ job: '' })}
        />
      )}
      {intent && <JobsAct intent={intent} onDone={handleDone} onClose={() => setIntent(undefined)} />}
    </>
  );
}
