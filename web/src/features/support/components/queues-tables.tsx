import { Button } from '@/components/button';
import { Link } from 'react-router';
import { StatusText } from '@/components/notice';
import type { Board } from '../api/jobs';
import { ConsoleTable } from './console-table';
import { ago, jobName } from './customer-words';
import { span, stateWords } from './jobs-filter';
import { stateTones } from './jobs-row';
import { When } from './when';

/** The running jobs, longest-running first. */
export function RunningTable({ jobs }: { jobs: Board['running'] }) {
  if (jobs.length === 0) return <p className="console-hint">Nothing runs at this moment.</p>;
  return (
    <ConsoleTable caption="Running now" heads={['Job', 'Queue', 'Attempt', 'For', 'Customer']}>
      {jobs.map((job) => (
        <tr key={job.id}>
          <th scope="row">
            <Link to={`/support/jobs?job=${job.id}`}>
              {jobName(job.kind)} #{job.id}
            </Link>
          </th>
          <td data-label="Queue">{job.queue}</td>
          <td data-label="Attempt">
            {job.attempt} of {job.max_attempts}
          </td>
          <td data-label="For">
            {job.overdue ? <StatusText tone="danger">{span(job.age)}, stuck</StatusText> : span(job.age)}
          </td>
          <td data-label="Customer">
            {job.customer_id ? (
              <Link to={`/support/customers/${job.customer_id}`}>
                Customer<span className="visually-hidden"> of job {job.id}</span>
              </Link>
            ) : (
              '–'
            )}
          </td>
        </tr>
      ))}
    </ConsoleTable>
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
  if (schedules.length === 0) return <p className="console-hint">No worker has reported its schedule yet.</p>;
  return (
    <ConsoleTable
      caption="Schedules"
      heads={['Job', 'Every', 'Last run', 'Outcome', 'Next run', ...(onRun ? ['Act'] : [])]}
    >
      {schedules.map((one) => (
        <tr key={one.kind}>
          <th scope="row">{jobName(one.kind)}</th>
          <td data-label="Every">{span(one.every_seconds)}</td>
          <td data-label="Last run">{one.last_run_at ? <When at={one.last_run_at} now={now} /> : 'Never'}</td>
          <td data-label="Outcome">
            {one.last_state ? (
              <StatusText tone={stateTones[one.last_state] ?? 'info'}>
                {stateWords[one.last_state] ?? one.last_state}
              </StatusText>
            ) : (
              '–'
            )}
          </td>
          <td data-label="Next run">
            <NextRun at={one.next_run_at} now={now} />
          </td>
          {onRun && (
            <td data-label="Act">
              <Button size="sm" variant="outline" onClick={() => onRun(one.kind)}>
                Run now<span className="visually-hidden">: {jobName(one.kind)}</span>
              </Button>
            </td>
          )}
        </tr>
      ))}
    </ConsoleTable>
  );
}

/** The worker processes. */
export function WorkersTable({ workers, now }: { workers: Board['workers']; now: number }) {
  if (workers.length === 0) return <p className="console-error">No worker is running.</p>;
  return (
    <ConsoleTable caption="Workers" heads={['Process', 'Running', 'Since', 'Last seen']}>
      {workers.map((worker) => (
        <tr key={worker.id}>
          <th scope="row">
            <code>{worker.id}</code>
          </th>
          <td data-label="Running">
            {worker.running} of {worker.capacity}
          </td>
          <td data-label="Since">
            <When at={worker.started_at} now={now} />
          </td>
          <td data-label="Last seen">
            <When at={worker.seen_at} now={now} />
          </td>
        </tr>
      ))}
    </ConsoleTable>
  );
}
