import { ErrorState } from '@/ui/states';
import { PageBar } from '@/ui/list/page-bar';
import './support-jobs.scss';
import type { JobSummary } from '../api/jobs';
import { CsvLink } from '../shared/csv-link';
import { JobsAct, type Intent } from './jobs-act';
import { JobsBatch } from './jobs-batch';
import { JobsChart } from './jobs-chart';
import { JobDetail } from './jobs-detail';
import { count } from '../shared/count';
import { JobsFilters } from './jobs-filters';
import { JobsGroups } from './jobs-groups';
import { JobsHistory } from './jobs-history';
import { JobsList } from './jobs-list';
import { JobsOperation } from './jobs-operation';
import { SavedViews } from '../shell/saved-views';
import { useFailedJobs } from './use-failed-jobs';
import { useFocusNewest } from '../shared/use-focus-newest';
import { useJobFilter } from './use-job-filter';
import { useJobIntent } from './use-job-intent';
import { useSelection } from '../shared/use-selection';
import { useNow } from '../shared/when';
import { Offer } from '../shared/offer';

interface OverviewProps {
  summary: JobSummary;
  cause: string;
  first: boolean;
  now: number;
  onNarrow: (next: Record<string, string>) => void;
}

/** When and why the jobs failed; both narrow the list. */
function Overview({ summary, cause, first, now, onNarrow }: OverviewProps) {
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
  failed: ReturnType<typeof useFailedJobs>;
  isChoosing: boolean;
  onShow: () => void;
}

/** The button that applies pending changes to the list; new jobs are held back while any are selected. */
function Waiting({ failed: { newer, stale }, isChoosing, onShow }: WaitingProps) {
  if (!stale && (newer === 0 || isChoosing)) return null;
  return (
    <div role="status" className="jobs-newer">
      <Offer onClick={onShow}>{stale ? 'Show what is left' : `${newer.toLocaleString('en-IN')} new`}</Offer>
    </div>
  );
}

/** The number of jobs, and the number of rows if fewer. */
function headCount({ summary, total, stale, jobs }: ReturnType<typeof useFailedJobs>): string {
  if (!summary.data) return '';
  return stale ? `${count(total, 'job')} left of the ${jobs.length} shown` : count(total, 'job');
}

/** Failed jobs: when, why, and what can be done about one or ten thousand of them, by mouse or keyboard. */
export function JobsPage() {
  const now = useNow();
  const address = useJobFilter();
  const { params, filter, opened, operation, set, open } = address;
  const failed = useFailedJobs(filter);
  const { list, summary, jobs, stale, total, refresh } = failed;
  const selection = useSelection();
  const { chosen, all, clear } = selection;
  const { intent, setIntent, mayAct, intend, finish } = useJobIntent(address, failed, selection);
  const askedForNewer = useFocusNewest(jobs[0]?.id);

  const narrow = (next: Record<string, string>) => {
    askedForNewer.current = false;
    clear();
    set(next);
  };
  const show = () => {
    askedForNewer.current = true;
    if (stale) clear();
    refresh();
  };
  return (
    <>
      <PageBar title="Failed jobs">
        <span role="status">{headCount(failed)}</span>
        <CsvLink list="jobs" filter={{ ...filter }} />
      </PageBar>
      <SavedViews list="jobs" />
      <JobsFilters
        params={params}
        facets={summary.data?.facets ?? []}
        customer={jobs.find((job) => job.customer_id === filter.customer_id)?.customer_name ?? ''}
        onChange={narrow}
      />
      {!summary.data && summary.error && !list.error && (
        <ErrorState error={summary.error} onRetry={() => void summary.refetch()} what="the counts" />
      )}
      {summary.data && (
        <Overview
          summary={summary.data}
          cause={params.get('cause') ?? ''}
          first={filter.by === 'first'}
          now={now}
          onNarrow={narrow}
        />
      )}
      <Operations
        id={operation}
        now={now}
        onFinished={refresh}
        onAgain={(failedIn) => setIntent({ action: 'rerun', ids: [], failedIn })}
        onOpen={open}
        onChoose={(id) => set({ operation: id })}
      />
      <Waiting failed={failed} isChoosing={all || chosen.size > 0} onShow={show} />
      {mayAct && <JobsBatch selection={selection} total={total} onAct={intend} />}
      <JobsList
        failed={failed}
        selection={selection}
        narrowed={Object.keys(filter).length > 0}
        now={now}
        onOpen={open}
        onAct={intend}
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
