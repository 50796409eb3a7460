import { EmptyState, QueryStates } from '@/components/states';
import type { FailedJob, JobAction } from '../api/jobs';
import { JobsTable } from './jobs-table';
import type { useFailedJobs } from './use-failed-jobs';
import type { Selection } from './use-selection';

export interface JobsListProps {
  failed: ReturnType<typeof useFailedJobs>;
  selection: Selection;
  /** A filter is in force. */
  narrowed: boolean;
  now: number;
  onOpen: (id: number) => void;
  onAct: (action: JobAction, job: FailedJob) => void;
}

/** The failed jobs, or why there are none to see. */
export function JobsList({
  failed: { list, jobs, total, loadMore },
  selection,
  narrowed,
  now,
  onOpen,
  onAct,
}: JobsListProps) {
  return (
    <>
      <QueryStates query={list} what="the jobs" lines={8} tellStale />
      {list.data && jobs.length === 0 && (
        <EmptyState title="No failed jobs">
          {narrowed
            ? 'Nothing matches these filters.'
            : 'Everything that was begun was done. What fails from now on appears here.'}
        </EmptyState>
      )}
      {jobs.length > 0 && (
        <JobsTable
          jobs={jobs}
          total={total}
          now={now}
          chosen={selection.chosen}
          all={selection.all}
          onToggle={selection.toggle}
          onAll={selection.chooseAll}
          onOpen={onOpen}
          onAct={onAct}
          onNearEnd={loadMore}
        />
      )}
    </>
  );
}
