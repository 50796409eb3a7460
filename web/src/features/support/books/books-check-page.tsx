import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { Notice, StatusText } from '@/ui/notice';
import { Async, EmptyState } from '@/ui/states';
import { ListTable, type Column } from '@/ui/list/list-table';
import { PageBar } from '@/ui/list/page-bar';
import { formatDay, formatInstant } from '@/lib/format';
import { settlementsQuery, type SettlementReport } from '../api/help';
import { useMay } from '../api/rights';
import { bookChecksQuery, runBookChecks, type BookCheck, type BookInvariant } from '../api/watch';
import { gatewayName, rupees } from '../customers/customer-words';
import { ReasonDialog } from '../shared/reason-dialog';
import { useNow, When } from '../shared/when';
import { count } from '../shared/count';
import { Offer } from '../shared/offer';

function Last({ of, now }: { of: BookCheck; now: number }) {
  return (
    <Notice tone={of.findings === 0 ? 'success' : 'danger'}>
      {of.findings === 0 ? 'The books are in order.' : `The books are out of order: ${of.findings} findings.`} Checked{' '}
      <When at={of.at} now={now} />: {of.journals.toLocaleString('en-IN')} journal entries,{' '}
      {of.documents.toLocaleString('en-IN')} documents and {of.payments.toLocaleString('en-IN')} payments; debits{' '}
      {rupees(of.debit_paise)}, credits {rupees(of.credit_paise)}.
    </Notice>
  );
}

/** The results of the last checks in words: colour or shape alone tells nothing. */
function trendOf(trend: BookInvariant['trend']): string {
  const broken = trend.filter((one) => one.findings > 0);
  const last = broken.at(-1);
  const checks = trend.length === 1 ? 'the only check' : `the last ${trend.length} checks`;
  if (!last) return `Met in ${checks}`;
  return `Broken in ${broken.length} of ${checks}, last on ${formatInstant(last.at)}`;
}

function Subject({ subject }: { subject: string }) {
  const payment = /^payment ([0-9a-f-]{36})$/.exec(subject)?.[1];
  return payment ? <Link to={`/support/payments/${payment}`}>{subject}</Link> : subject;
}

function Findings({ of }: { of: BookInvariant }) {
  const more = of.findings - of.rows.length;
  if (of.rows.length === 0) return 'None';
  return (
    <ul>
      {of.rows.map((row) => (
        <li key={`${row.subject} ${row.detail}`}>
          <Subject subject={row.subject} />: {row.detail}
        </li>
      ))}
      {more > 0 && <li>and {more.toLocaleString('en-IN')} more</li>}
    </ul>
  );
}

const ruleColumns: Column<BookInvariant>[] = [
  { label: 'Rule', cell: (of) => of.title || of.name },
  {
    label: 'Result',
    cell: ({ findings }) => (
      <StatusText tone={findings === 0 ? 'success' : 'danger'}>
        {findings === 0 ? 'Met' : count(findings, 'finding')}
      </StatusText>
    ),
  },
  { label: 'Trend', cell: (of) => trendOf(of.trend) },
  { label: 'Rows', cell: (of) => <Findings of={of} /> },
];

function SettledDays({ of }: { of: SettlementReport }) {
  const days = of.days.filter((day) => day.lines > 0 || day.differences.length > 0);
  if (days.length === 0 && of.open_lines.length === 0) return <p>No settlement was reported in these days.</p>;
  return (
    <>
      <p>
        {of.open_lines.length === 0
          ? 'Every settlement line is in the books.'
          : `${count(of.open_lines.length, 'settlement line is', 'settlement lines are')} open, of any day.`}{' '}
        <Link to="/support/settlements">Open the settlements</Link>
      </p>
      <ListTable
        wide
        caption="Settlement by day"
        rows={days}
        rowKey={(day) => `${day.gateway} ${day.day}`}
        columns={[
          {
            label: 'Day',
            cell: (day) => (
              <Link to={`/support/settlements?from=${day.day}&to=${day.day}`}>
                {formatDay(day.day)}, {gatewayName(day.gateway)}
              </Link>
            ),
          },
          { label: 'Lines', cell: (day) => day.lines },
          {
            label: 'Open lines',
            cell: (day) => of.open_lines.filter((line) => line.gateway === day.gateway && line.day === day.day).length,
          },
          {
            label: 'Open differences',
            cell: (day) => day.differences.filter((one) => !one.cleared_at && !one.acknowledged).length,
          },
          { label: 'Received', cell: (day) => rupees(day.captured_paise), numeric: true },
          { label: 'Paid out', cell: (day) => rupees(day.net_paise), numeric: true },
        ]}
      />
    </>
  );
}

/** Each rule of the books with its last result and trend, what breaks it, and the settlement by day. */
export function BooksCheckPage() {
  const checks = useQuery(bookChecksQuery);
  const settled = useQuery(settlementsQuery({}));
  const mayRun = useMay('money');
  const now = useNow();
  const [asking, setAsking] = useState(false);
  return (
    <>
      <PageBar title="Books check">{mayRun && <Offer onClick={() => setAsking(true)}>Check now</Offer>}</PageBar>
      <Async query={checks} what="the checks of the books" lines={8} tellStale />
      {checks.data && !checks.data.last && (
        <EmptyState title="Not checked yet">The books are checked every night; the result appears here.</EmptyState>
      )}
      {checks.data?.last && (
        <>
          <Last of={checks.data.last} now={now} />
          <ListTable
            wide
            caption="Rules of the books"
            rows={checks.data.invariants}
            rowKey={(one) => one.name}
            columns={ruleColumns}
          />
        </>
      )}
      <h2>Settlement by day</h2>
      <Async query={settled} what="the settlements" lines={4} />
      {settled.data && <SettledDays of={settled.data} />}
      {asking && (
        <ReasonDialog
          title="Check the books now?"
          label="Check now"
          effect={<p>A worker checks all rules of the books. Nothing is changed; the result appears here.</p>}
          suggestions={['An entry was corrected', 'Before the books are locked']}
          act={runBookChecks}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
