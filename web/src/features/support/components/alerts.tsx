import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Button } from '@/components/button';
import { Notice } from '@/components/notice';
import { explain, toApiError } from '@/lib/api/errors';
import { alertsQuery, type Alert } from '../api/jobs';

function place(alert: Alert): string {
  if (alert.kind === 'lost_documents') return '/support';
  if (alert.kind === 'webhook') return '/support/connected';
  return alert.kind === 'stuck_job' ? `/support/jobs?job=${alert.job_id}` : '/support/queues';
}

/** Warns that a screen is showing its last known data because refreshing it fails. */
function OutOfDate({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { requestId } = toApiError(error);
  return (
    <div className="console-alerts" role="region" aria-label="Alerts">
      <Notice tone="danger" live>
        What is on the screen may be out of date: {explain(error)} {requestId && `Request id: ${requestId}`}{' '}
        <Button variant="outline" size="sm" onClick={onRetry}>
          Retry
        </Button>
      </Notice>
    </div>
  );
}

/** What needs attention now, on every screen of the console; nothing while all is well. */
export function AlertBanner() {
  const { data, error, refetch } = useQuery(alertsQuery);
  if (error) return <OutOfDate error={error} onRetry={() => void refetch()} />;
  if (!data || data.alerts.length === 0) return null;
  const [first, ...others] = data.alerts;
  return (
    <div className="console-alerts" role="region" aria-label="Alerts">
      <Notice tone={first?.kind === 'paused_queue' ? 'warning' : 'danger'} live>
        {first && <Link to={place(first)}>{first.message}</Link>}
        {others.length > 0 && (
          <details>
            <summary>{others.length} more</summary>
            <ul>
              {others.map((alert) => (
                <li key={`${alert.kind} ${alert.queue} ${alert.job_id}`}>
                  <Link to={place(alert)}>{alert.message}</Link>
                </li>
              ))}
            </ul>
          </details>
        )}
      </Notice>
    </div>
  );
}
