import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { Link } from 'react-router';
import { Button } from '@/components/button';
import { Modal } from '@/components/modal';
import { formatInstant } from '@/lib/format';
import type { Job } from '../api/support';

const states: Partial<Record<Job['state'], string>> = { discarded: 'Given up', cancelled: 'Cancelled', retryable: 'Will try again' };

export interface JobsTableProps {
  jobs: Job[];
  chosen: ReadonlySet<number>;
  onChoose: (chosen: ReadonlySet<number>) => void;
  onRerun: (ids: number[]) => void;
}

/** The failed jobs; on a focused row j and k move, x chooses, r reruns, Enter opens, ? lists the keys. */
export function JobsTable({ jobs, chosen, onChoose, onRerun }: JobsTableProps) {
  const [opened, setOpened] = useState<Job>();
  const [helping, setHelping] = useState(false);
  const rows = useRef<(HTMLTableRowElement | null)[]>([]);
  useEffect(() => {
    rows.current.length = jobs.length;
  }, [jobs.length]);
  const toggle = (id: number) => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    onChoose(next);
  };
  const handleKey = (event: KeyboardEvent<HTMLTableRowElement>, index: number, job: Job) => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    const acts: Record<string, () => void> = {
      j: () => rows.current[index + 1]?.focus(),
      k: () => rows.current[index - 1]?.focus(),
      x: () => toggle(job.id),
      r: () => onRerun(chosen.size > 0 ? [...chosen] : [job.id]),
      Enter: () => setOpened(job),
      '?': () => setHelping(true),
    };
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };
  return (
    <div className="console-scroll">
      <table className="console-table">
        <caption className="visually-hidden">Failed jobs. Press ? on a row for the keys.</caption>
        <thead>
          <tr><th scope="col">Choose</th><th scope="col">Job</th><th scope="col">State</th><th scope="col">Attempts</th><th scope="col">Error</th><th scope="col">Customer</th><th scope="col">Created</th></tr>
        </thead>
        <tbody>
          {jobs.map((job, index) => (
            // A row takes the focus so that its keys act on it alone; everything can be done by its buttons too.
            <tr key={job.id} ref={(row) => { rows.current[index] = row; }} tabIndex={0} onKeyDown={(event) => handleKey(event, index, job)}>
              <td><input type="checkbox" aria-label={`Choose job ${job.id}`} checked={chosen.has(job.id)} onChange={() => toggle(job.id)} /></td>
              <td><button type="button" className="btn-text" onClick={() => setOpened(job)}>{job.id} {job.kind}</button></td>
              <td>{states[job.state] ?? job.state}</td>
              <td>{job.attempt}/{job.max_attempts}</td>
              <td className="console-clip">{job.last_error || '-'}</td>
              <td>{job.customer_id ? <Link to={`/support/customers/${job.customer_id}`}>Open<span className="visually-hidden"> the customer of job {job.id}</span></Link> : '-'}</td>
              <td>{formatInstant(job.created_at)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {opened && (
        <Modal open size="lg" title={`Job ${opened.id}: ${opened.kind}`} onClose={() => setOpened(undefined)} footer={<Button onClick={() => { setOpened(undefined); onRerun([opened.id]); }}>Rerun job {opened.id}</Button>}>
          <p>{states[opened.state] ?? opened.state}, attempt {opened.attempt} of {opened.max_attempts}, queue {opened.queue}. {opened.state === 'retryable' && `Next try ${formatInstant(opened.scheduled_at)}.`}</p>
          <pre>{JSON.stringify(opened.args, null, 2)}</pre>
          <ol>
            {opened.errors.map((one) => <li key={one.attempt}>{formatInstant(one.at)}: {one.error}</li>)}
          </ol>
        </Modal>
      )}
      {helping && (
        <Modal open title="Keys" onClose={() => setHelping(false)}>
          <p><kbd>j</kbd> <kbd>k</kbd> down and up · <kbd>x</kbd> choose · <kbd>r</kbd> rerun · <kbd>Enter</kbd> open · <kbd>/</kbd> search</p>
        </Modal>
      )}
    </div>
  );
}
