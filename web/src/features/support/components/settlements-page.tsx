import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { Button } from '@/components/button';
import { StatusText } from '@/components/notice';
import { EmptyState, ErrorState, Loading, Skeleton } from '@/components/states';
import { formatDay } from '@/lib/format';
import { usePageMeta } from '@/lib/page-meta';
import { settlementQuery, settlementsQuery, type SettlementDay } from '../api/help';
import { ConsoleTable } from './console-table';
import { rupees } from './customer-words';
import { When } from './when';
import '@/styles/support-customers.scss';

const nameOf = ({ gateway, day }: SettlementDay) => `${formatDay(day)}, ${gateway}`;

function Transaction({ id }: { id: string }) {
  return id ? <Link to={`/support?q=${encodeURIComponent(id)}`}>{id}</Link> : '–';
}

/** What disagrees, with what it means. */
function Differences({ of }: { of: SettlementDay }) {
  if (of.differences.length === 0) return null;
  return (
    <ConsoleTable caption={`Differences of ${nameOf(of)}`} heads={['Transaction', 'What differs', 'Our books', 'The gateway']}>
      {of.differences.map((one) => (
        <tr key={`${one.transaction_id} ${one.kind}`}>
          <th scope="row"><Transaction id={one.transaction_id} /></th>
          <td data-label="What differs" className="console-clip">{one.meaning}</td>
          <td data-label="Our books">{rupees(one.ours_paise)}</td>
          <td data-label="The gateway">{rupees(one.theirs_paise)}</td>
        </tr>
      ))}
    </ConsoleTable>
  );
}

/** The gateway's own lines of a day, up to the transfer to the bank. */
function Lines({ of }: { of: SettlementDay }) {
  const settlement = useQuery(settlementQuery(of.gateway, of.day));
  if (settlement.error) return <ErrorState error={settlement.error} onRetry={() => void settlement.refetch()} what="the lines" />;
  if (!settlement.data) return <Loading what="the lines"><Skeleton lines={3} /></Loading>;
  return (
    <ConsoleTable caption={`Lines of ${nameOf(of)}`} heads={['Transaction', 'Movement', 'Amount', 'Fee', 'GST on the fee', 'Paid out', 'UTR']}>
      {settlement.data.lines.map((line) => (
        <tr key={`${line.gateway_payment_id} ${line.refund_id}`}>
          <th scope="row"><Transaction id={line.transaction_id} /></th>
          <td data-label="Movement">{line.refund ? 'Refund' : 'Payment'}</td>
          <td data-label="Amount">{rupees(line.amount_paise)}</td>
          <td data-label="Fee">{rupees(line.fee_paise)}</td>
          <td data-label="GST on the fee">{rupees(line.tax_paise)}</td>
          <td data-label="Paid out">{rupees(line.net_paise)}</td>
          <td data-label="UTR">{line.utr || '–'}</td>
        </tr>
      ))}
    </ConsoleTable>
  );
}

function Day({ of, now }: { of: SettlementDay; now: number }) {
  const [open, setOpen] = useState(false);
  const count = of.differences.length;
  return (
    <li>
      <div className="contact-head">
        <h2>{nameOf(of)}</h2>
        <StatusText tone={count === 0 ? 'success' : 'danger'}>{count === 0 ? 'Agrees with the books' : `${count} ${count === 1 ? 'difference' : 'differences'}`}</StatusText>
      </div>
      <p>
        {of.lines === 0 ? 'The gateway settled nothing.' : `${rupees(of.captured_paise)} received, ${rupees(of.refunded_paise)} refunded, ${rupees(of.fee_paise)} fees and ${rupees(of.tax_paise)} GST on them, ${rupees(of.net_paise)} paid out.`} Compared <When at={of.compared_at} now={now} />.
      </p>
      <Differences of={of} />
      {of.lines > 0 && (
        <Button variant="outline" size="sm" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? 'Hide' : 'Show'} {of.lines === 1 ? 'the line' : `the ${of.lines.toLocaleString('en-IN')} lines`}
          <span className="visually-hidden"> of {nameOf(of)}</span>
        </Button>
      )}
      {open && <Lines of={of} />}
    </li>
  );
}

/** What the gateway paid out each day, against the books. */
export function SettlementsPage() {
  usePageMeta({ title: 'Settlements' });
  const [params, setParams] = useSearchParams();
  const [from, to] = [params.get('from') ?? '', params.get('to') ?? ''];
  const report = useQuery({ ...settlementsQuery({ ...(from && { from }), ...(to && { to }) }), placeholderData: keepPreviousData });
  const narrow = (name: string, value: string) =>
    setParams((old) => { if (value) old.set(name, value); else old.delete(name); return old; }, { preventScrollReset: true, replace: true });
  return (
    <>
      <div className="console-bar">
        <h1>Settlements</h1>
        <label htmlFor="settled-from">From</label>
        <input id="settled-from" className="input" type="date" value={from || (report.data?.from ?? '')} onChange={(event) => narrow('from', event.target.value)} />
        <label htmlFor="settled-to">To</label>
        <input id="settled-to" className="input" type="date" value={to || (report.data?.to ?? '')} onChange={(event) => narrow('to', event.target.value)} />
      </div>
      {report.error && <ErrorState error={report.error} onRetry={() => void report.refetch()} what="the settlements" />}
      {report.isPending && <Loading what="the settlements"><Skeleton lines={6} /></Loading>}
      {report.data?.days.length === 0 && <EmptyState title="Nothing here">Each night the day’s settlement of the gateway is compared with the books; none was in these days.</EmptyState>}
      <ul className="console-contacts">
        {report.data?.days.map((day) => <Day key={`${day.gateway} ${day.day}`} of={day} now={report.dataUpdatedAt} />)}
      </ul>
    </>
  );
}
