import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Button } from '@/ui/button';
import { ErrorState } from '@/ui/states';
import { operationQuery, type JobAction, type JobOperationState } from '../api/jobs';
import { count } from '../shared/count';
import { When } from '../shared/when';
import { Offer } from '../shared/offer';

export const doing: Record<JobAction, [now: string, done: string]> = {
  rerun: ['Rerunning', 'will run again'],
  cancel: ['Cancelling', 'cancelled'],
  dismiss: ['Dismissing', 'dismissed'],
  snooze: ['Snoozing', 'snoozed'],
};

/** Why a bulk change skipped jobs, in the plural. */
const leftAlone: Record<string, string> = {
  job_running: 'began to run in between',
  job_available: 'were about to run anyway',
  job_completed: 'were done in between',
  job_twin: 'have a twin that is on its way',
  job_gone: 'are no longer there',
  job_cancelled: 'were cancelled or dismissed in between',
};

/** What became of the jobs since they were rerun. */
function Outcome({ aftermath: { completed, failed, waiting, other } }: Pick<JobOperationState, 'aftermath'>) {
  if (completed + failed + waiting + other === 0) return null;
  const parts = [
    `${completed.toLocaleString('en-IN')} done`,
    failed > 0 && `${failed.toLocaleString('en-IN')} failed again`,
    waiting > 0 && `${waiting.toLocaleString('en-IN')} still waiting or running`,
    other > 0 && `${other.toLocaleString('en-IN')} came too late, were ended by somebody or are no longer kept`,
  ];
  return (
    <p role="status">
      <strong>Since then: {parts.filter(Boolean).join(', ')}.</strong>
    </p>
  );
}

/** The reasons for skipped jobs, each with a count. */
function Refusals({ refusals }: Pick<JobOperationState, 'refusals'>) {
  if (refusals.length === 0) return null;
  return (
    <ul>
      {refusals.map((one) => (
        <li key={one.code}>
          {one.count.toLocaleString('en-IN')} {leftAlone[one.code] ?? `left alone: ${one.message}`}
        </li>
      ))}
    </ul>
  );
}

export interface JobsOperationProps {
  id: string;
  onFinished: () => void;
  onAgain: (failed: { id: string; total: number }) => void;
  onOpen: (id: number) => void;
  onClose: () => void;
  /** The current time, in milliseconds. */
  now: number;
}

/** The progress of a bulk change, which continues without this page; its URL shows it again. */
export function JobsOperation({ id, onFinished, onAgain, onOpen, onClose, now: time }: JobsOperationProps) {
  const state = useQuery(operationQuery(id));
  const finished = Boolean(state.data?.operation.finished_at);
  useEffect(() => {
    if (finished) onFinished();
  }, [finished, onFinished]);
  if (state.error) return <ErrorState error={state.error} onRetry={() => void state.refetch()} what="the change" />;
  if (!state.data) return null;
  const { operation, results, refusals, aftermath } = state.data;
  const refused = results.filter((one) => !one.done);
  const [now, done] = doing[operation.action];
  const worked = operation.done + operation.refused;
  return (
    <section className="jobs-operation" aria-label="Progress">
      <p role="status">
        {finished
          ? `${operation.done.toLocaleString('en-IN')} of ${count(operation.total, 'job')} ${done}.`
          : `${now} ${count(operation.total, 'job')}: ${worked.toLocaleString('en-IN')} so far.`}
        {operation.refused > 0 && ` ${operation.refused.toLocaleString('en-IN')} left alone.`}
      </p>
      {finished && <Outcome aftermath={aftermath} />}
      <Refusals refusals={refusals} />
      <progress max={operation.total} value={worked} aria-label={`${now} ${count(operation.total, 'job')}`} />
      <p className="console-hint">
        {operation.reason} · {operation.staff_name} · <When at={operation.created_at} now={time} />
      </p>
      {refused.length > 0 && (
        <details open={finished && refused.length <= 5}>
          <summary>
            {count(operation.refused, 'job')} left alone, and why
            {refused.length < operation.refused && ` (the first ${refused.length})`}
          </summary>
          <ul>
            {refused.map((one) => (
              <li key={one.id}>
                <button type="button" className="btn-text" onClick={() => onOpen(one.id)}>
                  #{one.id}
                </button>{' '}
                {one.message}
              </li>
            ))}
          </ul>
        </details>
      )}
      {finished && (
        <div className="jobs-buttons">
          {aftermath.failed > 0 && (
            <Offer onClick={() => onAgain({ id, total: aftermath.failed })}>
              Rerun the {aftermath.failed.toLocaleString('en-IN')} that failed again
            </Offer>
          )}
          <Button size="sm" variant="quiet" onClick={onClose}>
            Close
          </Button>
        </div>
      )}
    </section>
  );
}
