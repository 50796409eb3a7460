import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { Notice } from '@/ui/notice';
import { listOf, ListPage } from '@/ui/list/list-page';
import { anyText, oneOf, useListState } from '@/ui/list/use-list-state';
import { formatInstant } from '@/lib/format';
import { useMay } from '../api/rights';
import { auditQuery, type AuditTrail } from '../api/help';
import { CsvLink } from '../shared/csv-link';
import { AuditFilters } from './audit-filters';
import { AuditRow } from './audit-row';
import { actionNames } from '../shared/action-words';
import { SavedViews } from '../shell/saved-views';
import '../customers/support-customers.scss';

const schema = {
  staff_id: anyText,
  customer_id: anyText,
  from: anyText,
  to: anyText,
  action: oneOf(actionNames.map(([action]) => action)),
};

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

/** What staff did: filtered, verified, and exported as a file. */
export function AuditPage() {
  const { filter } = useListState(schema);
  const before = Number(useSearchParams()[0].get('before')) || undefined;
  const audit = useQuery(auditQuery(filter, before));
  const mayExport = useMay('trail') || Boolean(filter.customer_id);
  return (
    <ListPage
      title="Audit"
      query={listOf(audit, ({ records, next }) => ({ data: records, next }))}
      what="the trail"
      tellStale
      lines={8}
      acts={
        mayExport && (
          <>
            <CsvLink list="audit" filter={{ ...filter, format: 'csv' }} label="Export as CSV" />
            <CsvLink list="audit" filter={{ ...filter, format: 'jsonl' }} label="Export as JSON Lines" />
          </>
        )
      }
      intro={
        <>
          {audit.data && <ChainNotice check={audit.data.check} />}
          <SavedViews list="audit" />
          <AuditFilters filter={filter} staff={audit.data?.staff} />
        </>
      }
      empty="No records match these filters."
      rowKey={(record) => record.sequence}
      card={(record) => <AuditRow record={record} now={audit.dataUpdatedAt} />}
      list={(rows) => (
        <ol className="timeline timeline-audit" aria-label="Records">
          {rows}
        </ol>
      )}
    />
  );
}
