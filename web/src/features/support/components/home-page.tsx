import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { ErrorState, QueryStates } from '@/components/states';
import { usePageMeta } from '@/lib/page-meta';
import { contactsQuery } from '../api/customers';
import { reversalsQuery, waitingMoneyQuery } from '../api/help';
import type { Board, Queue } from '../api/jobs';
import { queuesQuery, releaseQuery } from '../api/queries';
import { useMay } from '../api/rights';
import { ConsoleTable } from './console-table';
import { span } from './jobs-filter';
import { LostDocuments } from './lost-documents';
import './support-customers.scss';

interface WaitingProps {
  to: string;
  query: { error: unknown; refetch: () => unknown };
  count: number | undefined;
  one: string;
  many: string;
}

function Waiting({ to, query, count, one, many }: WaitingProps) {
  if (count === undefined && query.error)
    return (
      <li>
        <ErrorState error={query.error} onRetry={() => void query.refetch()} what={`the ${many}`} />
      </li>
    );
  return (
    <li>
      <Link to={to} className={count ? 'waiting waiting-some' : 'waiting'}>
        <strong>{count?.toLocaleString('en-IN') ?? '–'}</strong> {count === 1 ? one : many}
      </Link>
    </li>
  );
}

const finds: [what: string, like: string][] = [
  ['Mobile', '98765 43210'],
  ['E-mail', 'asha@example.in'],
  ['Name or store', 'Asha Sweets'],
  ['Domain', 'asha-sweets'],
  ['Transaction', 'FP261121…'],
  ['Gateway id', '4039937155…'],
  ['Invoice', 'FP/26-27/000042'],
  ['Job', '8123'],
];

/** The queues that need attention, each with its count. */
function WaitingList({ queues }: { queues: WaitingProps['query'] & { data: Board | undefined } }) {
  const maySeeOps = useMay('ops');
  const open = useQuery({ ...contactsQuery({ page: 1, status: 'open' }), enabled: maySeeOps });
  const waiting = useQuery(reversalsQuery({ page: 1, state: 'waiting' }));
  const money = useQuery(waitingMoneyQuery());
  const counts = money.data?.counts;
  const failed = queues.data?.queues.reduce((sum, queue) => sum + queue.failed, 0);
  return (
    <ul className="home-waiting">
      {maySeeOps && <Waiting to="/support/jobs" query={queues} count={failed} one="failed job" many="failed jobs" />}
      {maySeeOps && (
        <Waiting
          to="/support/contacts?status=open"
          query={open}
          count={open.data?.total}
          one="open contact request"
          many="open contact requests"
        />
      )}
      <Waiting
        to="/support/approvals?state=waiting"
        query={waiting}
        count={waiting.data?.total}
        one="refund to approve"
        many="refunds to approve"
      />
      <Waiting
        to="/support/money?kind=held"
        query={money}
        count={counts?.held}
        one="held payment"
        many="held payments"
      />
      <Waiting
        to="/support/money?kind=dispute"
        query={money}
        count={counts?.disputes}
        one="open dispute"
        many="open disputes"
      />
      <Waiting
        to="/support/money?kind=unconfirmed"
        query={money}
        count={counts?.unconfirmed_disputes}
        one="unconfirmed dispute"
        many="unconfirmed disputes"
      />
      <Waiting
        to="/support/money?kind=refund"
        query={money}
        count={counts?.failed_refunds}
        one="failed refund"
        many="failed refunds"
      />
      <Waiting
        to="/support/settlements"
        query={money}
        count={counts?.settlement_differences}
        one="open settlement difference"
        many="open settlement differences"
      />
      <Waiting
        to="/support/transfers?state=open"
        query={money}
        count={counts?.bank_credits}
        one="bank transfer to assign"
        many="bank transfers to assign"
      />
      <Waiting
        to="/support/tds?late=true"
        query={money}
        count={counts?.late_tds}
        one="late TDS certificate"
        many="late TDS certificates"
      />
    </ul>
  );
}

function QueuesInShort({ queues }: { queues: Queue[] }) {
  return (
    <ConsoleTable caption="Queues" heads={['Queue', 'Waiting', 'Oldest', 'Running', 'Failed']}>
      {queues.map((queue) => (
        <tr key={queue.name}>
          <th scope="row">{queue.name}</th>
          <td data-label="Waiting">{queue.depth.toLocaleString('en-IN')}</td>
          <td data-label="Oldest">{queue.depth > 0 ? span(queue.oldest_age) : '–'}</td>
          <td data-label="Running">{queue.running}</td>
          <td data-label="Failed">
            {queue.failed > 0 ? (
              <Link to={`/support/jobs?queue=${encodeURIComponent(queue.name)}`}>
                {queue.failed.toLocaleString('en-IN')}
                <span className="visually-hidden"> failed jobs of {queue.name}</span>
              </Link>
            ) : (
              '0'
            )}
          </td>
        </tr>
      ))}
    </ConsoleTable>
  );
}

/** The release currently running, for fault reports; omitted if it cannot be fetched. */
function Release() {
  const release = useQuery(releaseQuery);
  return release.data ? <p className="console-hint">Release {release.data.version}</p> : null;
}

/** The console's home: the search, what waits for staff, and the state of the queues. */
export function SupportHomePage() {
  usePageMeta({ title: 'Support' });
  const maySeeOps = useMay('ops');
  const queues = useQuery({ ...queuesQuery, enabled: maySeeOps });
  return (
    <>
      <h1>Who needs help?</h1>
      <p className="console-hint">
        Type in the search above, whole or only the beginning. <kbd>/</kbd> or <kbd>Ctrl</kbd> <kbd>K</kbd> comes back
        to it, <kbd>Enter</kbd> opens the first, <kbd>?</kbd> lists the other keys.
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
      <LostDocuments />
      <WaitingList queues={queues} />
      {maySeeOps && (
        <>
          <h2>Queues</h2>
          <QueryStates query={queues} what="the queues" lines={4} />
        </>
      )}
      {queues.data?.queues.length === 0 && <p>Every queue is empty.</p>}
      {queues.data && queues.data.queues.length > 0 && <QueuesInShort queues={queues.data.queues} />}
      <Release />
    </>
  );
}
