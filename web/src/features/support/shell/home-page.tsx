import CheckIcon from 'bootstrap-icons/icons/check-circle.svg?component';
import OpenIcon from 'bootstrap-icons/icons/circle.svg?component';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Async } from '@/ui/states';
import { formatDate } from '@/lib/format';
import { usePageMeta } from '@/lib/page-meta';
import { bookLockQuery } from '../api/help';
import { boardQuery, summaryQuery } from '../api/jobs';
import { meQuery, releaseQuery } from '../api/queries';
import { useMay } from '../api/rights';
import { bookChecksQuery, workQuery } from '../api/watch';
import { ago, errorWords, jobName } from '../customers/customer-words';
import { span } from '../jobs/jobs-filter';
import { count } from '../shared/count';
import { LostDocuments } from '../books/lost-documents';
import { useNow } from '../shared/when';
import { WorkList } from './work-list';
import './home.scss';
import '../customers/support-customers.scss';

/** The number of causes of failed jobs shown here. */
const CAUSES = 5;

/** Why jobs fail, most frequent first, and whether the queues keep up. */
function JobsInShort() {
  const summary = useQuery(summaryQuery({}, ''));
  const queues = useQuery(boardQuery);
  const now = useNow();
  const groups = (summary.data?.groups ?? []).toSorted((a, b) => b.count - a.count);
  const waiting = (queues.data?.queues ?? []).filter(({ depth }) => depth > 0);
  const depth = waiting.reduce((sum, queue) => sum + queue.depth, 0);
  const oldest = Math.max(0, ...waiting.map(({ oldest_age: age }) => age));
  return (
    <section className="home-card" aria-labelledby="home-jobs">
      <h2 id="home-jobs">
        {summary.data && summary.data.total > 0 ? count(summary.data.total, 'failed job') : 'Jobs'}
      </h2>
      <Async query={summary} what="the failed jobs" lines={2} />
      {summary.data?.total === 0 && <p className="console-hint">No job has failed.</p>}
      {groups.length > 0 && (
        <ul className="home-rows">
          {groups.slice(0, CAUSES).map((group) => (
            <li key={`${group.kind} ${group.key}`}>
              <Link to={`/support/jobs?kind=${encodeURIComponent(group.kind)}&cause=${encodeURIComponent(group.key)}`}>
                {group.count.toLocaleString('en-IN')} × {jobName(group.kind)}
              </Link>
              <span className="home-why">{errorWords(group.cause) || 'No error kept'}</span>
              <span className="console-hint">{ago(group.latest_at, now)}</span>
            </li>
          ))}
        </ul>
      )}
      {groups.length > CAUSES && (
        <p>
          <Link to="/support/jobs">All {count(groups.length, 'cause')}</Link>
        </p>
      )}
      {queues.data && (
        <p className="console-hint">
          {depth === 0 ? 'Every queue is empty.' : `${count(depth, 'job')} waiting, the oldest for ${span(oldest)}.`}{' '}
          <Link to="/support/queues">Queues</Link>
        </p>
      )}
    </section>
  );
}

/** The month as people write it: "October 2026". */
const monthOf = (day: string) =>
  new Intl.DateTimeFormat('en-IN', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(new Date(day));

interface Step {
  label: string;
  to: string;
  /** What is left; empty if the step is done. */
  left: string;
}

/** The steps that close the last complete month, with what is left of each. */
function MonthClose() {
  const lock = useQuery(bookLockQuery);
  const work = useQuery(workQuery);
  const checks = useQuery(bookChecksQuery);
  const end = lock.data?.can_lock_through;
  if (!lock.data || !end || !work.data || !checks.data) return null;
  const month = monthOf(end);
  if (lock.data.through && lock.data.through >= end)
    return (
      <p className="console-hint">
        {month} is closed: the books are locked up to {formatDate(lock.data.through)}.
      </p>
    );
  const { groups } = work.data;
  const open = (...kinds: string[]) =>
    groups.filter(({ kind }) => kinds.includes(kind)).reduce((sum, group) => sum + group.count, 0);
  const left = (number: number, what: string) => (number > 0 ? `${count(number, what)} left` : '');
  const { last } = checks.data;
  const steps: Step[] = [
    {
      label: 'Every bank credit pays a bill',
      to: '/support/transfers?state=open',
      left: left(open('bank_credit', 'bank_use'), 'transfer'),
    },
    {
      label: 'Settlements agree with the books',
      to: '/support/settlements',
      left: left(open('settlement_difference'), 'difference'),
    },
    { label: 'Every document is registered', to: '/support/e-invoices', left: left(open('e_invoice'), 'document') },
    {
      label: 'The books check is sound',
      to: '/support/invariants',
      left: last ? left(last.findings, 'finding') : 'Never run',
    },
    { label: 'GST return', to: '/support/gst-returns', left: 'To be filed' },
    { label: 'Lock the books', to: '/support/accounts', left: `Up to ${formatDate(end)}` },
  ];
  return (
    <section className="home-card" aria-labelledby="home-close">
      <h2 id="home-close">Close {month}</h2>
      <ol className="home-steps">
        {steps.map((step) => (
          <li key={step.label}>
            {step.left ? <OpenIcon /> : <CheckIcon className="home-done" />}
            <Link to={step.to}>{step.label}</Link>
            <span className="console-hint">{step.left || 'Done'}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The release currently running, for fault reports; omitted if it cannot be fetched. */
function Release() {
  const release = useQuery(releaseQuery);
  return release.data ? <p className="console-hint">Release {release.data.version}</p> : null;
}

/** The console's home: what waits for the role, most urgent first, beside the role's own overview. */
export function SupportHomePage() {
  usePageMeta({ title: 'Home' });
  const me = useQuery(meQuery);
  const closes = [useMay('money'), useMay('books')].every(Boolean);
  const seesJobs = useMay('ops');
  return (
    <>
      <div className="home-head">
        <h1>What needs you now</h1>
        <p className="console-hint">
          Type a name, a number or an id above. <kbd>Ctrl</kbd> <kbd>K</kbd> comes back to it, <kbd>?</kbd> lists the
          keys.
        </p>
      </div>
      <LostDocuments />
      <div className="home-columns">
        <div>{me.data && <WorkList role={me.data.role} />}</div>
        <div className="home-side">
          {seesJobs && <JobsInShort />}
          {closes && <MonthClose />}
          <Release />
        </div>
      </div>
    </>
  );
}
