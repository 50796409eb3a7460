import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Notice } from '@/ui/notice';
import { Async, EmptyState } from '@/ui/states';
import { PageBar } from '@/ui/list/page-bar';
import { formatInstant } from '@/lib/format';
import { meQuery } from '../api/queries';
import { may } from '../api/rights';
import { auditQuery, exportAddress, type AuditFilter, type AuditTrail } from '../api/help';
import { AuditFilters } from './audit-filters';
import { AuditRow } from './audit-row';
import { SavedViews } from '../shell/saved-views';
import { useAuditFilter } from './use-audit-filter';
import '../customers/support-customers.scss';

/** Whether the chain of records is intact, each following from the one before it. */
function ChainNotice({ check }: { check: AuditTrail['check'] }) {
  if (!check) return <Notice>The chain has not been checked yet. It is every hour.</Notice>;
  if (check.whole)
    return (
      <Notice tone="success">
        The chain was whole when it was last checked, {formatInstant(check.at)}: {check.entries.toLocaleString('en-IN')}{' '}
        records.
      </Notice>
    );
  return (
    <Notice tone="danger">
      The chain of records is broken. {check.problem} Found {formatInstant(check.at)}. Tell the person responsible for
      security.
    </Notice>
  );
}

interface TrailPagesProps {
  filter: AuditFilter;
  before: number | undefined;
  next: number | null | undefined;
}

function TrailPages({ filter, before, next }: TrailPagesProps) {
  return (
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
  );
}

/** What staff did: filtered, verified, and exported as a file. */
export function AuditPage() {
  const { filter, before, narrow } = useAuditFilter();
  const audit = useQuery(auditQuery(filter, before));
  const me = useQuery(meQuery);
  const mayExport = may(me.data?.role, 'trail') || Boolean(filter.customer_id);
  const { records, next, staff } = audit.data ?? {};
  return (
    <>
      <PageBar title="Audit">
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
      </PageBar>
      {audit.data && <ChainNotice check={audit.data.check} />}
      <SavedViews list="audit" />
      <AuditFilters filter={filter} staff={staff} onNarrow={narrow} />
      <Async query={audit} what="the trail" lines={8} tellStale />
      {records?.length === 0 && <EmptyState title="Nothing here">No records match these filters.</EmptyState>}
      <ol className="timeline timeline-audit" aria-label="Records">
        {records?.map((record) => (
          <AuditRow key={record.sequence} record={record} now={audit.dataUpdatedAt} />
        ))}
      </ol>
      <TrailPages filter={filter} before={before} next={next} />
    </>
  );
}
