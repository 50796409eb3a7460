import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { StatusText } from '@/components/notice';
import { formatInstant } from '@/lib/format';
import type { Board } from '../api/jobs';
import { ago } from './customer-words';
import { span, stateWords } from './jobs-filter';
import { stateTones } from './jobs-row';

function Table({ caption, heads, children }: { caption: string; heads: string[]; children: ReactNode }) {
  return (
    // What scrolls sideways must be reached by the keyboard.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className="console-scroll" role="region" aria-label={caption} tabIndex={0}>
      <table className="console-table">
        <caption className="visually-hidden">{caption}</caption>
        <thead><tr>{heads.map((head) => <th key={head} scope="col">{head}</th>)}</tr></thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

/** The jobs in the hands of workers, the longest first. */
export function RunningTable({ jobs }: { jobs: Board['running'] }) {
  if (jobs.length === 0) return <p className="console-hint">Nothing runs at this moment.</p>;
  return (
    <Table caption="Running now" heads={['Job', 'Queue', 'Attempt', 'For', 'Customer']}>
      {jobs.map((job) => (
        <tr key={job.id}>
          <th scope="row"><Link to={`/support/jobs?job=${job.id}`}>{job.kind} #{job.id}</Link></th>
          <td>{job.queue}</td>
          <td>{job.attempt}/{job.max_attempts}</td>
          <td>{job.overdue ? <StatusText tone="danger">{span(job.age)}, stuck</StatusText> : span(job.age)}</td>
          <td>{job.customer_id ? <Link to={`/support/customers/${job.customer_id}`}>Customer<span className="visually-hidden"> of job {job.id}</span></Link> : '-'}</td>
        </tr>
      ))}
    </Table>
  );
}

const overdueAfterMs = 120_000;

/** When the leading worker starts it next; a worker that is gone starts nothing. */
function NextRun({ at, now }: { at: string | null; now: number }) {
  if (!at) return 'Not planned yet';
  if (now - Date.parse(at) > overdueAfterMs) return <StatusText tone="danger">Due {ago(at, now)}</StatusText>;
  return <>{formatInstant(at)} <span className="console-hint">{ago(at, now)}</span></>;
}

export interface SchedulesTableProps {
  schedules: Board['schedules'];
  /** The present time, in milliseconds. */
  now: number;
}

/** What is started again and again, with its last and next run. */
export function SchedulesTable({ schedules, now }: SchedulesTableProps) {
  if (schedules.length === 0) return <p className="console-hint">No worker has told its schedule yet.</p>;
  return (
    <Table caption="Schedules" heads={['Job', 'Every', 'Last run', 'It ended as', 'Next run']}>
      {schedules.map((one) => (
        <tr key={one.kind}>
          <th scope="row">{one.kind}</th>
          <td>{span(one.every_seconds)}</td>
          <td>{one.last_run_at ? formatInstant(one.last_run_at) : 'Never'}</td>
          <td>{one.last_state ? <StatusText tone={stateTones[one.last_state] ?? 'info'}>{stateWords[one.last_state] ?? one.last_state}</StatusText> : '-'}</td>
          <td><NextRun at={one.next_run_at} now={now} /></td>
        </tr>
      ))}
    </Table>
  );
}

/** The processes that work jobs. */
export function WorkersTable({ workers }: { workers: Board['workers'] }) {
  if (workers.length === 0) return <p className="console-error">No worker is running.</p>;
  return (
    <Table caption="Workers" heads={['Process', 'Running', 'Since', 'Last heard of']}>
      {workers.map((worker) => (
        <tr key={worker.id}>
          <th scope="row"><code>{worker.id}</code></th>
          <td>{worker.running} of {worker.capacity}</td>
          <td>{formatInstant(worker.started_at)}</td>
          <td>{formatInstant(worker.seen_at)}</td>
        </tr>
      ))}
    </Table>
  );
}
