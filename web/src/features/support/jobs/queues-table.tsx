import { Link } from 'react-router';
import { StatusText } from '@/ui/notice';
import type { Queue } from '../api/jobs';
import { Facts } from '../shared/facts';
import { span } from './jobs-filter';
import { Offer } from '../shared/offer';

export interface QueuesTableProps {
  queues: Queue[];
  /** Only admins may pause and resume. */
  mayControl: boolean;
  onControl: (name: string, what: 'pause' | 'resume') => void;
}

function Standing({ queue }: { queue: Queue }) {
  if (queue.paused_at) return <StatusText tone="warning">Paused</StatusText>;
  if (queue.depth > 0 && queue.oldest_age > queue.ages_after) return <StatusText tone="danger">Too slow</StatusText>;
  if (queue.capacity === 0) return <StatusText tone="danger">No worker</StatusText>;
  return <StatusText tone="success">Fine</StatusText>;
}

/** The failure rate of the attempts in the last hour: "2.5%". */
function failureRate({ completed, failed_attempts: failed }: Queue): string {
  return completed + failed === 0 ? '–' : `${((failed / (completed + failed)) * 100).toFixed(failed > 0 ? 1 : 0)}%`;
}

/** One card per queue: its backlog, waiting time and throughput. */
export function QueuesTable({ queues, mayControl, onControl }: QueuesTableProps) {
  if (queues.length === 0) return <p>No worker has reported a queue yet.</p>;
  return (
    <ul className="queues">
      {queues.map((queue) => (
        <li key={queue.name} aria-label={`Queue ${queue.name}`}>
          <div className="queue-head">
            <h2>{queue.name}</h2>
            <Standing queue={queue} />
            {mayControl &&
              (queue.paused_at ? (
                <Offer variant="primary" onClick={() => onControl(queue.name, 'resume')} of={queue.name}>
                  Resume
                </Offer>
              ) : (
                <Offer onClick={() => onControl(queue.name, 'pause')} of={queue.name}>
                  Pause
                </Offer>
              ))}
          </div>
          <Facts
            of={[
              ['Waiting', queue.depth.toLocaleString('en-IN')],
              ['Oldest', queue.depth > 0 ? span(queue.oldest_age) : '–'],
              ['Running', `${queue.running} of ${queue.capacity}`],
              ['Per hour', queue.completed.toLocaleString('en-IN')],
              ['Failure rate', failureRate(queue)],
              [
                'Failed',
                queue.failed > 0 ? (
                  <Link to={`/support/jobs?queue=${encodeURIComponent(queue.name)}`}>
                    {queue.failed.toLocaleString('en-IN')}
                    <span className="visually-hidden"> failed jobs of {queue.name}</span>
                  </Link>
                ) : (
                  '0'
                ),
              ],
            ]}
          />
        </li>
      ))}
    </ul>
  );
}
