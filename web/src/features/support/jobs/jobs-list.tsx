import WaitIcon from 'bootstrap-icons/icons/hourglass-split.svg?component';
import { useQuery } from '@tanstack/react-query';
import { Async, EmptyState } from '@/ui/states';
import type { FailedJob, JobAction } from '../api/jobs';
import { alertsQuery } from '../api/watch';
import { JobsTable } from './jobs-table';
import type { useFailedJobs } from './use-failed-jobs';
import type { Selection } from '../shared/use-selection';

export interface JobsListProps {
  failed: ReturnType<typeof useFailedJobs>;
  selection: Selection;
  /** Whether a filter is active. */
  narrowed: boolean;
  now: number;
  onOpen: (id: number) => void;
  onAct: (action: JobAction, job: FailedJob) => void;
}

/** Why no failed jobs are shown. While there is an alert, their absence does not mean that all is well. */
function NoJobs({ narrowed }: { narrowed: boolean }) {
  const { data, error } = useQuery(alertsQuery);
  if (narrowed) return <EmptyState title="No failed jobs">Nothing matches these filters.</EmptyState>;
  if (error || !data || data.alerts.length > 0)
    return (
      <EmptyState title="No job has failed for good" icon={WaitIcon}>
        {data?.alerts.length
          ? 'But the alert above needs attention: jobs may be waiting or trying again. Those that give up appear here.'
          : 'Jobs that give up appear here.'}
      </EmptyState>
    );
  return (
    <EmptyState title="No failed jobs">All jobs were completed. Those that fail from now on appear here.</EmptyState>
  );
}

/** The failed jobs, or the reason for an empty list. */
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
      <Async query={list} what="the jobs" lines={8} tellStale />
      {list.data && jobs.length === 0 && <NoJobs narrowed={narrowed} />}
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
