import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { ErrorState, Loading, Skeleton } from '@/components/states';
import { usePageMeta } from '@/lib/page-meta';
import { contactsQuery } from '../api/customers';
import { reversalsQuery } from '../api/help';
import { queuesQuery } from '../api/queries';
import '@/styles/support-customers.scss';

function Waiting({ to, count, label }: { to: string; count: number | undefined; label: string }) {
  return (
    <li>
      <Link to={to} className={count ? 'waiting waiting-some' : 'waiting'}>
        <strong>{count ?? '–'}</strong> {label}
      </Link>
    </li>
  );
}

const finds: [what: string, like: string][] = [
  ['Mobile', '98765 43210'], ['E-mail', 'asha@example.in'], ['Name or store', 'Asha Sweets'], ['Domain', 'asha-sweets'], ['Transaction', 'FP261121…'], ['Gateway id', '4039937155…'], ['Invoice', 'FP/26-27/000042'], ['Job', '8123'],
];

/** Where the console opens: the search above, what waits for somebody, and how the queues stand. */
export function SupportHomePage() {
  usePageMeta({ title: 'Support' });
  const queues = useQuery(queuesQuery);
  const open = useQuery(contactsQuery({ page: 1, status: 'open' }));
  const waiting = useQuery(reversalsQuery({ page: 1, state: 'waiting' }));
  const failed = queues.data?.queues.reduce((sum, queue) => sum + queue.failed, 0);
  return (
    <>
      <h1>Who needs help?</h1>
      <p className="console-hint">
        Type in the search above, whole or only the beginning. <kbd>/</kbd> or <kbd>Ctrl</kbd> <kbd>K</kbd> comes back to it, <kbd>Enter</kbd> opens the first.
      </p>
      <dl className="home-finds">
        {finds.map(([what, like]) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd>{like}</dd>
          </div>
        ))}
      </dl>
      <h2>Waits for somebody</h2>
      <ul className="home-waiting">
        <Waiting to="/support/jobs" count={failed} label={failed === 1 ? 'failed job' : 'failed jobs'} />
        <Waiting to="/support/contacts?status=open" count={open.data?.total} label={open.data?.total === 1 ? 'open contact request' : 'open contact requests'} />
        <Waiting to="/support/approvals?state=waiting" count={waiting.data?.total} label={waiting.data?.total === 1 ? 'refund to approve' : 'refunds to approve'} />
      </ul>
      <h2>Queues</h2>
      {queues.error && <ErrorState error={queues.error} onRetry={() => void queues.refetch()} what="the queues" />}
      {queues.isPending && <Loading what="the queues"><Skeleton lines={4} /></Loading>}
      {queues.data?.queues.length === 0 && <p>Every queue is empty.</p>}
      {queues.data && queues.data.queues.length > 0 && (
        // What scrolls must be reached by the keyboard.
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <div className="console-scroll" tabIndex={0} role="region" aria-label="Queues">
          <table className="console-table">
            <thead>
              <tr><th scope="col">Queue</th><th scope="col">Waiting</th><th scope="col">Oldest</th><th scope="col">Running</th><th scope="col">Failed</th></tr>
            </thead>
            <tbody>
              {queues.data.queues.map((queue) => (
                <tr key={queue.name}><th scope="row">{queue.name}</th><td>{queue.depth}</td><td>{queue.oldest_age} s</td><td>{queue.running}</td><td>{queue.failed}</td></tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}
