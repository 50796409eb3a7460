import { useQuery } from '@tanstack/react-query';
import { ErrorState, Loading } from '@/components/states';
import { usePageMeta } from '@/lib/page-meta';
import { queuesQuery } from '../api/queries';

/** Where the console opens: the search above, and how the queues stand. */
export function SupportHomePage() {
  usePageMeta({ title: 'Support' });
  const queues = useQuery(queuesQuery);
  return (
    <>
      <h1>Who needs help?</h1>
      <p className="console-hint">
        Type in the search above: it finds people by mobile, e-mail, name, store, domain, transaction, invoice or job. <kbd>/</kbd> or <kbd>Ctrl</kbd> <kbd>K</kbd> comes back to it.
      </p>
      <h2>Queues</h2>
      {queues.error && <ErrorState error={queues.error} onRetry={() => void queues.refetch()} what="the queues" />}
      {queues.isPending && <Loading what="the queues">{null}</Loading>}
      {queues.data?.queues.length === 0 && <p>Every queue is empty.</p>}
      {queues.data && queues.data.queues.length > 0 && (
        <div className="console-scroll">
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
