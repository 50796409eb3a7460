import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { QueryStates } from '@/components/states';
import { ListTable } from '@/components/list/list-table';
import { usePageMeta } from '@/lib/page-meta';
import type { Queue } from '../api/jobs';
import { queuesQuery, releaseQuery } from '../api/queries';
import { useMay } from '../api/rights';
import { span } from './jobs-filter';
import { LostDocuments } from './lost-documents';
import { WorkList } from './work-list';
import './support-customers.scss';

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

function QueuesInShort({ queues }: { queues: Queue[] }) {
  return (
    <ListTable
      caption="Queues"
      rows={queues}
      rowKey={(queue) => queue.name}
      columns={[
        { label: 'Queue', cell: (queue) => queue.name },
        { label: 'Waiting', cell: (queue) => queue.depth.toLocaleString('en-IN'), numeric: true },
        { label: 'Oldest', cell: (queue) => (queue.depth > 0 ? span(queue.oldest_age) : '–') },
        { label: 'Running', cell: (queue) => queue.running, numeric: true },
        {
          label: 'Failed',
          numeric: true,
          cell: (queue) =>
            queue.failed > 0 ? (
              <Link to={`/support/jobs?queue=${encodeURIComponent(queue.name)}`}>
                {queue.failed.toLocaleString('en-IN')}
                <span className="visually-hidden"> failed jobs of {queue.name}</span>
              </Link>
            ) : (
              '0'
            ),
        },
      ]}
    />
  );
}

/** The release currently running, for fault reports; omitted if it cannot be fetched. */
function Release() {
  const release = useQuery(releaseQuery);
  return release.data ? <p className="console-hint">Release {release.data.version}</p> : null;
}

/** The console's home: the search, the open work of staff, and the state of the queues. */
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
      <WorkList />
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
