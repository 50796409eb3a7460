import { Link } from 'react-router';
import { StatusText } from '@/ui/notice';
import { ListTable } from '@/ui/list/list-table';
import type { Board } from '../api/jobs';
import { ago, jobName } from '../customers/customer-words';
import { span, stateTones, stateWords } from './jobs-filter';
import { When } from '../shared/when';
import { Offer } from '../shared/offer';

/** The running jobs, longest-running first. */
export function RunningTable({ jobs }: { jobs: Board['running'] }) {
  return (
    <ListTable
      none={<p className="console-hint">Nothing runs at this moment.</p>}
      caption="Running now"
      rows={jobs}
      rowKey={(job) => job.id}
      columns={[
        {
          label: 'Job',
          cell: (job) => (
            <Link to={`/support/jobs?job=${job.id}`}>
              {jobName(job.kind)} #{job.id}
            </Link>
          ),
        },
        { label: 'Queue', cell: (job) => job.queue },
        {
          label: 'Attempt',
          cell: (job) => (
            <>
              {job.attempt} of {job.max_attempts}
            </>
          ),
        },
        {
          label: 'For',
          cell: (job) => (job.overdue ? <StatusText tone="danger">{span(job.age)}, stuck</StatusText> : span(job.age)),
        },
        {
          label: 'Customer',
          cell: (job) =>
            job.customer_id ? (
              <Link to={`/support/customers/${job.customer_id}`}>
                Customer<span className="visually-hidden"> of job {job.id}</span>
              </Link>
            ) : (
              '–'
            ),
        },
      ]}
    />
  );
}

const overdueAfterMs = 120_000;

/** When the leading worker runs it next; without one nothing is started. */
function NextRun({ at, now }: { at: string | null; now: number }) {
  if (!at) return 'Not planned yet';
  if (now - Date.parse(at) > overdueAfterMs) return <StatusText tone="danger">Due {ago(at, now)}</StatusText>;
  return <When at={at} now={now} />;
}

export interface SchedulesTableProps {
  schedules: Board['schedules'];
  /** The current time, in milliseconds. */
  now: number;
  /** Given to admins, who may run a scheduled job now. */
  onRun?: ((kind: string) => void) | undefined;
}

/** The periodic jobs, with their last and next run. */
export function SchedulesTable({ schedules, now, onRun }: SchedulesTableProps) {
  return (
    <ListTable
      none={<p className="console-hint">No worker has reported its schedule yet.</p>}
      caption="Schedules"
      rows={schedules}
      rowKey={(one) => one.kind}
      columns={[
        { label: 'Job', cell: (one) => jobName(one.kind) },
        { label: 'Every', cell: (one) => span(one.every_seconds) },
        { label: 'Last run', cell: (one) => (one.last_run_at ? <When at={one.last_run_at} now={now} /> : 'Never') },
        {
          label: 'Outcome',
          cell: (one) =>
            one.last_state ? (
              <StatusText tone={stateTones[one.last_state] ?? 'info'}>
                {stateWords[one.last_state] ?? one.last_state}
              </StatusText>
            ) : (
              '–'
            ),
        },
        { label: 'Next run', cell: (one) => <NextRun at={one.next_run_at} now={now} /> },
        ...(onRun
          ? [
              {
                label: 'Act',
                cell: (one: Board['schedules'][number]) => (
                  <Offer onClick={() => onRun(one.kind)} of={`: ${jobName(one.kind)}`}>
                    Run now
                  </Offer>
                ),
              },
            ]
          : []),
      ]}
    />
  );
}

/** The worker processes. */
export function WorkersTable({ workers, now }: { workers: Board['workers']; now: number }) {
  return (
    <ListTable
      none={<p className="console-error">No worker is running.</p>}
      caption="Workers"
      rows={workers}
      rowKey={(worker) => worker.id}
      columns={[
        { label: 'Process', cell: (worker) => <code>{worker.id}</code> },
        {
          label: 'Running',
          cell: (worker) => (
            <>
              {worker.running} of {worker.capacity}
            </>
          ),
        },
        { label: 'Since', cell: (worker) => <When at={worker.started_at} now={now} /> },
        { label: 'Last seen', cell: (worker) => <When at={worker.seen_at} now={now} /> },
      ]}
    />
  );
}
