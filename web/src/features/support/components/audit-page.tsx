import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import { Notice } from '@/components/notice';
import { EmptyState, ErrorState, Loading, Skeleton } from '@/components/states';
import { formatInstant } from '@/lib/format';
import { usePageMeta } from '@/lib/page-meta';
import { meQuery } from '../api/queries';
import { auditQuery, exportAddress, type AuditFilter } from '../api/help';
import { AuditRow } from './audit-row';
import { actionNames } from './customer-words';
import './support-customers.scss';

const filters = ['staff_id', 'customer_id', 'from', 'to'] as const;

/** What staff did: filtered, checked, and taken out as a file. */
export function AuditPage() {
  usePageMeta({ title: 'Audit' });
  const [params, setParams] = useSearchParams();
  const action = actionNames.find(([one]) => one === params.get('action'))?.[0];
  const filter: AuditFilter = {
    ...Object.fromEntries(filters.flatMap((name) => (params.get(name) ? [[name, params.get(name) ?? '']] : []))),
    ...(action && { action }),
  };
  const before = Number(params.get('before')) || undefined;
  const audit = useQuery(auditQuery(filter, before));
  const me = useQuery(meQuery);
  const mayExport = me.data?.role === 'admin' || Boolean(filter.customer_id);
  const narrow = (name: string, value: string) =>
    setParams(
      (old) => {
        if (value) old.set(name, value);
        else old.delete(name);
        if (name !== 'before') old.delete('before');
        return old;
      },
      { preventScrollReset: true, replace: name !== 'before' },
    );
  const { records, next, staff, check } = audit.data ?? {};
  return (
    <>
      <div className="console-bar">
        <h1>Audit</h1>
        {mayExport && (
          <>
            <a className="btn btn-outline btn-sm" href={exportAddress(filter, 'csv')} download>
              Export as CSV
            </a>
            <a className="btn btn-outline btn-sm" href={exportAddress(filter, 'jsonl')} download>
              Export as JSON Lines
            </a>
          </>
        )}
      </div>
      {check && !check.whole && (
        <Notice tone="danger">
          The chain of records is broken. {check.problem} Found {formatInstant(check.at)}. Tell whoever is responsible
          for security.
        </Notice>
      )}
      {check?.whole && (
        <Notice tone="success">
          The chain was whole when it was last checked, {formatInstant(check.at)}:{' '}
          {check.entries.toLocaleString('en-IN')} records.
        </Notice>
      )}
      {audit.data && !check && <Notice>The chain has not been checked yet. It is every hour.</Notice>}
      <div className="audit-filters">
        <div>
          <label htmlFor="audit-staff">Who</label>
          <select
            id="audit-staff"
            className="input"
            value={filter.staff_id ?? ''}
            onChange={(event) => narrow('staff_id', event.target.value)}
          >
            <option value="">Everybody</option>
            {staff?.map(({ id, name, role }) => (
              <option key={id} value={id}>
                {name} ({role})
              </option>
            ))}
          </select>
        </div>
        <div>
          <label htmlFor="audit-action">What</label>
          <select
            id="audit-action"
            className="input"
            value={filter.action ?? ''}
            onChange={(event) => narrow('action', event.target.value)}
          >
            <option value="">Everything</option>
            {actionNames.map(([one, name]) => (
              <option key={one} value={one}>
                {name}
              </option>
            ))}
          </select>
        </div>
        <div>
          <label htmlFor="audit-from">From</label>
          <input
            id="audit-from"
            className="input"
            type="date"
            value={filter.from ?? ''}
            onChange={(event) => narrow('from', event.target.value)}
          />
        </div>
        <div>
          <label htmlFor="audit-to">To</label>
          <input
            id="audit-to"
            className="input"
            type="date"
            value={filter.to ?? ''}
            onChange={(event) => narrow('to', event.target.value)}
          />
        </div>
      </div>
      {audit.error && <ErrorState error={audit.error} onRetry={() => void audit.refetch()} what="the trail" />}
      {audit.isPending && (
        <Loading what="the trail">
          <Skeleton lines={8} />
        </Loading>
      )}
      {records?.length === 0 && <EmptyState title="Nothing here">No record fits these filters.</EmptyState>}
      <ol className="timeline timeline-audit" aria-label="Records">
        {records?.map((record) => (
          <AuditRow key={record.sequence} record={record} now={audit.dataUpdatedAt} />
        ))}
      </ol>
      <nav className="entry-acts" aria-label="Pages of the trail">
        {before && (
          <Link className="btn btn-quiet" to={`?${new URLSearchParams({ ...filter }).toString()}`}>
            Newest
          </Link>
        )}
        {next && (
          <Link
            className="btn btn-quiet"
            rel="next"
            to={`?${new URLSearchParams({ ...filter, before: String(next) }).toString()}`}
          >
            Earlier
          </Link>
        )}
      </nav>
    </>
  );
}
