import WaitIcon from 'bootstrap-icons/icons/hourglass-split.svg?component';
import { useQuery } from '@tanstack/react-query';
import { Button } from '@/ui/button';
import { ListPage, listOf } from '@/ui/list/list-page';
import { ErrorState } from '@/ui/states';
import './support-jobs.scss';
import { alertsQuery } from '../api/watch';
import { CsvLink } from '../shared/csv-link';
import { JobsAct, type Intent } from './jobs-act';
import { JobsBatch } from './jobs-batch';
import { JobsChart } from './jobs-chart';
import { JobDetail } from './jobs-detail';
import { jobColumns } from './jobs-columns';
import { filterParams } from './jobs-filter';
import { count } from '../shared/count';
import { JobsGroups } from './jobs-groups';
import { JobsHistory } from './jobs-history';
import { JobsOperation } from './jobs-operation';
import { SavedViews } from '../shell/saved-views';
import { useFailedJobs } from './use-failed-jobs';
import { useFirstRow } from '../shared/use-first-row';
import { useJobFilter } from './use-job-filter';
import { useJobIntent } from './use-job-intent';
import { useSelection, type Selection } from '../shared/use-selection';
import { useNow } from '../shared/when';
import { Offer } from '../shared/offer';

type FailedJobs = ReturnType<typeof useFailedJobs>;

interface OverviewProps {
  failed: FailedJobs;
  cause: string;
  first: boolean;
  now: number;
  onNarrow: (next: Record<string, string>) => void;
}

/** When and why the jobs failed; both narrow the list. */
function Overview({ failed: { summary: query, list }, cause, first, now, onNarrow }: OverviewProps) {
  const { data: summary, error } = query;
  if (!summary)
    return error && !list.error && <ErrorState error={error} onRetry={() => void query.refetch()} what="the counts" />;
  return (
    <>
      <JobsChart summary={summary} onChoose={(from, to) => onNarrow({ from, to, since: '' })} />
      {summary.groups.length > 0 && (
        <JobsGroups
          groups={summary.groups}
          chosen={cause}
          first={first}
          now={now}
          onFirst={(by) => onNarrow({ by: by ? 'first' : '', cause: '' })}
          onChoose={(group) => onNarrow({ cause: group?.key ?? '', kind: group?.kind ?? '' })}
        />
      )}
    </>
  );
}

interface OperationsProps {
  id: string;
  now: number;
  onFinished: () => void;
  onAgain: (failedIn: Intent['failedIn']) => void;
  onOpen: (job: number) => void;
  /** Opens a bulk change; an empty id closes it. */
  onChoose: (id: string) => void;
}

/** The change of many jobs that is open, or else the list of them. */
function Operations({ id, now, onFinished, onAgain, onOpen, onChoose }: OperationsProps) {
  if (!id) return <JobsHistory now={now} onOpen={onChoose} />;
  return (
    <JobsOperation
      key={id}
      id={id}
      onFinished={onFinished}
      onAgain={onAgain}
      now={now}
      onOpen={onOpen}
      onClose={() => onChoose('')}
    />
  );
}

interface WaitingProps {
  failed: FailedJobs;
  selection: Selection;
}

/** The button that applies pending changes to the list; new jobs are held back while any are selected. */
function Waiting({ failed: { newer, stale, refresh }, selection: { all, chosen, clear } }: WaitingProps) {
  if (!stale && (newer === 0 || all || chosen.size > 0)) return null;
  const show = () => {
    if (stale) clear();
    refresh();
  };
  return (
    <div role="status" className="jobs-newer">
      <Offer onClick={show}>{stale ? 'Show what is left' : `${newer.toLocaleString('en-IN')} new`}</Offer>
    </div>
  );
}

/** The number of jobs, and the number of rows if fewer. */
function headCount({ summary, total, stale, jobs }: FailedJobs): string {
  if (!summary.data) return '';
  return stale ? `${count(total, 'job')} left of the ${jobs.length} shown` : count(total, 'job');
}

/** Why no failed jobs are shown. While there is an alert, their absence does not mean that all is well. */
function useNoJobs(narrowed: boolean) {
  const { data, error } = useQuery(alertsQuery);
  if (narrowed) return { emptyTitle: 'No failed jobs', empty: 'Nothing matches these filters.' };
  if (error || !data || data.alerts.length > 0)
    return {
      emptyTitle: 'No job has failed for good',
      emptyIcon: WaitIcon,
      empty: data?.alerts.length
        ? 'But the alert above needs attention: jobs may be waiting or trying again. Those that give up appear here.'
        : 'Jobs that give up appear here.',
    };
  return {
    emptyTitle: 'No failed jobs',
    empty: 'All jobs were completed. Those that fail from now on appear here.',
  };
}

interface ClearProps {
  params: URLSearchParams;
  /** The name of the customer by whom the list is filtered, if it is known. */
  customer: string;
  onNarrow: (next: Record<string, string>) => void;
}

/** The buttons that show more jobs again. */
function Clear({ params, customer, onNarrow }: ClearProps) {
  return (
    <>
      {params.has('customer') && (
        <Offer onClick={() => onNarrow({ customer: '' })} of=": show the jobs of all">
          Only {customer || 'one customer'} <span aria-hidden="true">×</span>
        </Offer>
      )}
      {filterParams.some((name) => params.has(name)) && (
        <Button
          variant="quiet"
          size="sm"
          onClick={() => onNarrow(Object.fromEntries(filterParams.map((name) => [name, ''])))}
        >
          Clear filters
        </Button>
      )}
    </>
  );
}

/** Failed jobs: when, why, and what can be done about one or ten thousand of them, by mouse or keyboard. */
export function JobsPage() {
  const now = useNow();
  const address = useJobFilter();
  const { params, filter, opened, operation, narrow, set, open } = address;
  const failed = useFailedJobs(filter);
  const { list, jobs, newer, total, refresh } = failed;
  const selection = useSelection(filter);
  const { chosen, all } = selection;
  const { intent, setIntent, mayAct, intend, keyActs, finish } = useJobIntent(address, failed, selection);
  const none = useNoJobs(Object.keys(filter).length > 0);
  useFirstRow(jobs[0]?.id, Boolean(intent) || newer > 0);
  return (
    <>
      <ListPage
        wide
        tellStale
        title="Failed jobs"
        caption="Failed jobs, newest failure first. Press ? for keyboard shortcuts."
        query={listOf(list, (page) => ({ data: page.jobs, next: page.next }))}
        what="the jobs"
        lines={8}
        {...none}
        rowKey={(job) => job.id}
        columns={jobColumns({ params, summary: failed.summary.data, selection, now, onOpen: open })}
        rowClass={(job) => (all || chosen.has(job.id) ? 'row-chosen' : undefined)}
        keyActs={keyActs}
        search={[
          { label: 'Error contains', name: 'error' },
          { label: 'Argument', name: 'arg', placeholder: 'An id, or payment_id:…' },
        ]}
        acts={
          <>
            <Clear
              params={params}
              customer={jobs.find((job) => job.customer_id === filter.customer_id)?.customer_name ?? ''}
              onNarrow={narrow}
            />
            <span role="status">{headCount(failed)}</span>
            <CsvLink list="jobs" filter={{ ...filter }} />
          </>
        }
        intro={
          <>
            <SavedViews list="jobs" />
            <Overview
              failed={failed}
              cause={params.get('cause') ?? ''}
              first={filter.by === 'first'}
              now={now}
              onNarrow={narrow}
            />
            <Operations
              id={operation}
              now={now}
              onFinished={refresh}
              onAgain={(failedIn) => setIntent({ action: 'rerun', ids: [], failedIn })}
              onOpen={open}
              onChoose={(id) => set({ operation: id })}
            />
            <Waiting failed={failed} selection={selection} />
            {mayAct && <JobsBatch selection={selection} total={total} onAct={intend} />}
          </>
        }
      />
      {opened > 0 && !intent && (
        <JobDetail
          id={opened}
          mayAct={mayAct}
          onAct={(action, id) => setIntent({ action, ids: [id] })}
          onClose={() => set({ job: '' })}
        />
      )}
      {intent && <JobsAct intent={intent} onDone={finish} onClose={() => setIntent(undefined)} />}
    </>
  );
}
