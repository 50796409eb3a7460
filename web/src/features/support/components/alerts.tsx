import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Button } from '@/components/button';
import { Notice } from '@/components/notice';
import { explain, toApiError } from '@/lib/api/errors';
import { alertsQuery } from '../api/watch';

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
  const { data, error, refetch, dataUpdatedAt } = useQuery(alertsQuery);
  if (error) return <OutOfDate error={error} onRetry={() => void refetch()} />;
  // Silenced alerts appear only on the alerts page.
  const loud = data?.alerts.filter((one) => !one.silenced_until || Date.parse(one.silenced_until) <= dataUpdatedAt);
  if (!loud || loud.length === 0) return null;
  const [first, ...others] = loud;
  return (
    <div className="console-alerts" role="region" aria-label="Alerts">
      <Notice tone={first?.severity === 'warning' ? 'warning' : 'danger'} live>
        {first && <Link to={first.console}>{first.message}</Link>}
        {others.length > 0 && (
          <details>
            <summary>{others.length} more</summary>
            <ul>
              {others.map((alert) => (
                <li key={alert.id}>
                  <Link to={alert.console}>{alert.message}</Link>
                </li>
              ))}
            </ul>
          </details>
        )}
      </Notice>
    </div>
  );
}
