import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link } from 'react-router';
import { Button } from '@/ui/button';
import { Modal } from '@/ui/modal';
import { Notice, StatusText } from '@/ui/notice';
import { Async } from '@/ui/states';
import { jobQuery, type Job, type JobAction } from '../api/jobs';
import { jobName } from '../customers/customer-words';
import { stateTones, stateWords } from './jobs-filter';
import { isTyping, useShortcuts } from '../shell/shortcuts';
import { Facts, type Fact } from '../shared/facts';
import { Missing } from '../shared/missing';
import { useNow, When } from '../shared/when';

const factsOf = (job: Job, now: number): Fact[] => [
  ['State', <StatusText tone={stateTones[job.state] ?? 'info'}>{stateWords[job.state] ?? job.state}</StatusText>],
  ['Attempts', `${job.attempt} of ${job.max_attempts}`],
  ['Queue', job.queue],
  ['Kind', job.kind],
  ['Created', <When at={job.created_at} now={now} />],
  (job.state === 'retryable' || job.state === 'scheduled') && ['Next try', <When at={job.scheduled_at} now={now} />],
  job.finalized_at && ['Ended', <When at={job.finalized_at} now={now} />],
  job.customer_id && ['Customer', <Link to={`/support/customers/${job.customer_id}`}>Open the customer</Link>],
  job.customer_id &&
    job.payment_id && [
      'Payment',
      <Link to={`/support/customers/${job.customer_id}?entry=payment.${job.payment_id}`}>Open the payment</Link>,
    ],
  job.request_id && ['Request id', job.request_id, { copy: job.request_id, className: 'job-wide' }],
];

/** Why the job cannot be run again. */
function whyNot(job: Job): string {
  if (job.state === 'completed') return 'It is done, so it is not run again.';
  if (job.state === 'running') return 'It is running now. It can be run again when it has failed.';
  return job.kept ? 'It was deleted, so it cannot run again.' : 'It is on its way, so there is nothing to run again.';
}

function Body({ job }: { job: Job }) {
  const now = useNow();
  return (
    <>
      {job.kept && <Notice>This job was deleted; what is shown is its outcome, which is kept.</Notice>}
      <Facts className="job-facts" of={factsOf(job, now)} />
      {!job.can_rerun && <p className="job-why">{whyNot(job)}</p>}
      <h3>What it would do now</h3>
      <div className="job-effect">
        <p>
          <strong>{job.effect.summary}</strong>
        </p>
        <p>{job.effect.again}</p>
      </div>
      <h3>Arguments</h3>
      {/* Scrollable content must be reachable by keyboard. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre tabIndex={0} role="region" aria-label="Arguments">
        {JSON.stringify(job.args, null, 2)}
      </pre>
      <h3>Failed attempts</h3>
      {job.errors.length === 0 && <p>None.</p>}
      <ol className="job-errors">
        {job.errors.toReversed().map((one) => (
          <li key={`${one.attempt} ${one.at}`} value={one.attempt}>
            <When at={one.at} now={now} seconds /> <code>{one.error}</code>
          </li>
        ))}
      </ol>
    </>
  );
}

export interface JobDetailProps {
  id: number;
  /** False for read-only roles. */
  mayAct: boolean;
  onAct: (action: JobAction, id: number) => void;
  onClose: () => void;
}

/** One job: its arguments, its failed attempts, and a dry run. */
export function JobDetail({ id, mayAct, onAct, onClose }: JobDetailProps) {
  const job = useQuery({ ...jobQuery(id), refetchOnMount: 'always' });
  const found = job.data;
  const { enabled } = useShortcuts();
  const canRerun = Boolean(mayAct && found?.can_rerun) && enabled;
  useEffect(() => {
    if (!canRerun) return undefined;
    const listen = (event: KeyboardEvent) => {
      if (event.key !== 'r' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      event.preventDefault();
      onAct('rerun', id);
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [canRerun, id, onAct]);
  const footer = mayAct && found && (found.can_rerun || found.can_cancel || found.can_dismiss) && (
    <>
      {found.can_dismiss && (
        <Button variant="quiet" onClick={() => onAct('dismiss', id)}>
          Dismiss
        </Button>
      )}
      {found.can_cancel && (
        <Button variant="quiet" onClick={() => onAct('cancel', id)}>
          Cancel job
        </Button>
      )}
      {found.can_rerun && (
        <Button variant="outline" onClick={() => onAct('snooze', id)}>
          Snooze
        </Button>
      )}
      {found.can_rerun && <Button onClick={() => onAct('rerun', id)}>Rerun job {id}</Button>}
    </>
  );
  return (
    <Modal
      open
      size="lg"
      title={found ? `Job ${id}: ${jobName(found.kind)}` : `Job ${id}`}
      onClose={onClose}
      footer={footer}
    >
      <Async
        query={job}
        what="the job"
        skeleton={null}
        tellStale
        missing={<Missing what="job" to="/support/jobs" label="Failed jobs" inside />}
      />
      {found && <Body job={found} />}
    </Modal>
  );
}
