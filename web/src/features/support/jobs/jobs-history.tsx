import { useQuery } from '@tanstack/react-query';
import { operationsQuery } from '../api/jobs';
import { count } from '../shared/count';
import { doing } from './jobs-operation';
import { When } from '../shared/when';

/** The latest bulk changes, so that users find them after leaving the page; renders nothing if the list is empty. */
export function JobsHistory({ now, onOpen }: { now: number; onOpen: (id: string) => void }) {
  const { data } = useQuery(operationsQuery);
  if (!data || data.operations.length === 0) return null;
  return (
    <details className="jobs-history">
      <summary>Changes of many jobs</summary>
      <ul>
        {data.operations.map((one) => (
          <li key={one.id}>
            <button type="button" className="btn-text" onClick={() => onOpen(one.id)}>
              {one.finished_at
                ? `${one.done.toLocaleString('en-IN')} of ${count(one.total, 'job')} ${doing[one.action][1]}`
                : `${doing[one.action][0]} ${count(one.total, 'job')}`}
            </button>{' '}
            <span className="console-hint">
              {one.reason} · {one.staff_name} · <When at={one.created_at} now={now} />
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
