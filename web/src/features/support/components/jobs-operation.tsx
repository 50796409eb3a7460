import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Button } from '@/components/button';
import { ErrorState } from '@/components/states';
import { operationQuery, type JobAction } from '../api/jobs';
import { count } from './jobs-filter';
import { When } from './when';

export const doing: Record<JobAction, [now: string, done: string]> = {
  rerun: ['Rerunning', 'will run again'],
  cancel: ['Cancelling', 'cancelled'],
  dismiss: ['Dismissing', 'dismissed'],
  snooze: ['Snoozing', 'snoozed'],
};

export interface JobsOperationProps {
  id: string;
  onFinished: () => void;
  onAgain: (ids: number[]) => void;
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
  const { operation, results } = state.data;
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
          {refused.length > 0 && operation.action === 'rerun' && (
            <Button size="sm" variant="outline" onClick={() => onAgain(refused.map((one) => one.id))}>
              Rerun those left alone
            </Button>
          )}
          <Button size="sm" variant="quiet" onClick={onClose}>
            Close
          </Button>
        </div>
      )}
    </section>
  );
}
