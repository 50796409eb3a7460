import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Notice } from '@/ui/notice';
import { explain, toApiError } from '@/lib/api/errors';
import { alertsQuery, type Alert } from '../api/watch';
import { Offer } from '../shared/offer';

/** Warns that a screen is showing its last known data because refreshing it fails. */
function OutOfDate({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { requestId } = toApiError(error);
  return (
    <div className="console-alerts" role="region" aria-label="Alerts">
      <Notice tone="danger" live>
        What is on the screen may be out of date: {explain(error)} {requestId && `Request id: ${requestId}`}{' '}
        <Offer onClick={onRetry}>Retry</Offer>
      </Notice>
    </div>
  );
}

/** Alerts of the rules that concern one customer each. */
const ofOneCustomer = new Set(['payment_held']);

/** What the alerts of a rule say together. */
const together: Record<string, (count: number) => Pick<Alert, 'message' | 'console'>> = {
  payment_held: (count) => ({ message: `${count} payments are on hold.`, console: '/support/money?kind=held' }),
};

/** The alerts by severity, those that concern everybody first; several alerts of one customer each are one line. */
function linesOf(alerts: readonly Alert[]): Pick<Alert, 'id' | 'severity' | 'message' | 'console'>[] {
  const rank = (one: Alert) => (one.severity === 'critical' ? 0 : 2) + (ofOneCustomer.has(one.rule) ? 1 : 0);
  const sorted = alerts.toSorted((a, b) => rank(a) - rank(b));
  return sorted.flatMap((one) => {
    const same = sorted.filter(({ rule, severity }) => rule === one.rule && severity === one.severity);
    const joined = together[one.rule];
    if (!joined || same.length < 2) return [one];
    return same[0] === one ? [{ id: one.id, severity: one.severity, ...joined(same.length) }] : [];
  });
}

/** Whether the page is about one customer, where the alert of another customer would mislead. */
const isOfCustomer = (pathname: string) => /^\/support\/(customers|payments|mobiles)\/./.test(pathname);

/** What needs attention now, on every screen of the console; nothing while all is well. */
export function AlertBanner({ pathname }: { pathname: string }) {
  const { data, error, refetch, dataUpdatedAt } = useQuery(alertsQuery);
  if (error) return <OutOfDate error={error} onRetry={() => void refetch()} />;
  // Silenced alerts appear only on the alerts page.
  const loud = data?.alerts.filter(
    (one) =>
      (!one.silenced_until || Date.parse(one.silenced_until) <= dataUpdatedAt) &&
      !(isOfCustomer(pathname) && ofOneCustomer.has(one.rule)),
  );
  const [first, ...others] = linesOf(loud ?? []);
  if (!first) return null;
  return (
    <div className="console-alerts" role="region" aria-label="Alerts">
      <Notice tone={first.severity === 'warning' ? 'warning' : 'danger'} live>
        <Link to={first.console}>{first.message}</Link>
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
