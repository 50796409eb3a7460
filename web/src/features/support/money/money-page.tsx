import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { listOf, ListPage } from '@/ui/list/list-page';
import { oneOf, useListState } from '@/ui/list/use-list-state';
import { Badge } from '@/ui/notice';
import { formatDate, formatMobile } from '@/lib/format';
import { waitingMoneyQuery, type WaitingMoney } from '../api/help';
import { meQuery } from '../api/queries';
import type { Role } from '../api/rights';
import { BooksLock } from '../books/books-lock';
import { CsvLink } from '../shared/csv-link';
import { gatewayName, rupees } from '../customers/customer-words';
import { When } from '../shared/when';
import '../customers/support-customers.scss';

type Kind = WaitingMoney['kind'];
const kinds: Record<Kind, string> = {
  held: 'Held payment',
  dispute: 'Open dispute',
  unconfirmed: 'Unconfirmed dispute',
  refund: 'Failed refund',
};
const many: Record<Kind, string> = {
  held: 'Held payments',
  dispute: 'Open disputes',
  unconfirmed: 'Unconfirmed disputes',
  refund: 'Failed refunds',
};

/** The received amount; for a payment on hold, also the difference from the amount due. */
function amountOf({ kind, amount_paise: amount, due_paise: due }: WaitingMoney): string {
  if (kind === 'held')
    return amount === due
      ? rupees(amount)
      : `${rupees(amount)} came, ${rupees(due)} was due: ${rupees(Math.abs(due - amount))} ${amount < due ? 'is missing' : 'too much'}`;
  return amount > 0 ? rupees(amount) : 'Amount not told';
}

/** What the role can do about a held payment: support accepts a short one, finance gives it back, admins do both. */
function heldAct(short: boolean, role: Role | undefined): string {
  const act =
    short && role !== 'finance'
      ? `Accept it with a discount, or ${role === 'support' ? 'ask finance to ' : ''}give it back`
      : `${asked('Give it back', role)}${short ? ', or ask support to accept it with a discount' : ''}`;
  return `${act}, on the customer’s page; the customer can pay anew then.`;
}

/** The act. Support may not act on money: for support, the text says to contact finance. */
const asked = (act: string, role: Role | undefined) =>
  role === 'support' ? `Ask finance to ${act.charAt(0).toLowerCase()}${act.slice(1)}` : act;

/** What staff of the role can do about it, and where. */
function toDo(of: WaitingMoney, role: Role | undefined): string {
  const { kind, gateway, reference, failure, owed, requested } = of;
  const at = gatewayName(gateway);
  if (kind === 'held') return heldAct(of.amount_paise < of.due_paise, role);
  if (kind === 'dispute') return asked(`Answer it at ${at}, where it is ${reference}.`, role);
  if (kind === 'unconfirmed')
    return `Only an unsigned notice tells of it. ${asked(`Check it at ${at}, where it would be ${reference}.`, role)}`;
  const left = requested
    ? 'Staff are working on it: look at the approvals before anything else is paid.'
    : asked(
        owed || gateway === 'bank'
          ? 'Pay it by bank transfer and book that on the customer’s page.'
          : 'Request it again on the customer’s page, or pay it by bank transfer and book that.',
        role,
      );
  if (gateway === 'bank') return left;
  return `${failure ? `${at} says: ${failure} ` : ''}${left}`;
}

/** The gateway's deadline for an answer, given as a date or a date and time. */
const dueDay = (answerBy: string) => formatDate(answerBy.slice(0, 10));

function Row({ of, now, role }: { of: WaitingMoney; now: number; role: Role | undefined }) {
  return (
    <li>
      <div className="contact-head">
        <h2>
          <Link to={`/support/customers/${of.customer_id}?entry=payment.${of.payment_id}`}>
            {of.customer_name || formatMobile(of.mobile)}
          </Link>
        </h2>
        <Badge tone={of.kind === 'unconfirmed' ? 'warning' : 'danger'}>{kinds[of.kind]}</Badge>
      </div>
      <p>
        <strong>{amountOf(of)}</strong>
        {of.answer_by && (
          <>
            {' '}
            · answer by <strong>{dueDay(of.answer_by)}</strong>
          </>
        )}
      </p>
      <p>
        <Link to={`/support/payments/${of.transaction_id}`}>{of.transaction_id}</Link> · {gatewayName(of.gateway)} ·{' '}
        {of.bought}
      </p>
      <p>
        Since <When at={of.since} now={now} />. {toDo(of, role)}
      </p>
    </li>
  );
}

/** The kinds, each with its count once it is known. */
const withCounts = (counts: Record<Kind, number> | undefined) =>
  Object.fromEntries(
    (Object.keys(many) as Kind[]).map((one) => [one, counts ? `${many[one]} (${counts[one]})` : many[one]]),
  );

/** Held payments, open disputes and failed refunds of all customers, oldest first. */
export function MoneyPage() {
  const role = useQuery(meQuery).data?.role;
  const { kind } = useListState({ kind: oneOf<Kind>(kinds) }).filter;
  const list = useQuery(waitingMoneyQuery(kind));
  const rows = list.data?.rows;
  const counts = list.data?.counts;
  const all = counts
    ? {
        held: counts.held,
        dispute: counts.disputes,
        unconfirmed: counts.unconfirmed_disputes,
        refund: counts.failed_refunds,
      }
    : undefined;
  const total = all && (kind ? all[kind] : Object.values(all).reduce((sum, one) => sum + one, 0));
  return (
    <>
      <ListPage
        title="Money awaiting action"
        query={listOf(list, (data) => ({ data: data.rows }))}
        what="the money that waits"
        filters={[{ label: 'Show', name: 'kind', options: withCounts(all) }]}
        acts={<CsvLink list="money" filter={{ kind }} />}
        emptyTitle="Nothing waits"
        empty="Held payments, open disputes and failed refunds appear here until somebody has dealt with them."
        rowKey={(one) => `${one.kind} ${one.payment_id} ${one.reference}`}
        card={(one) => <Row of={one} now={list.dataUpdatedAt} role={role} />}
        list={(cards) => (
          <>
            {rows && total !== undefined && rows.length < total && (
              <p className="console-hint">
                The oldest {rows.length} of {total.toLocaleString('en-IN')}.
              </p>
            )}
            <ul className="console-contacts">{cards}</ul>
          </>
        )}
      />
      {counts && counts.settlement_differences > 0 && (
        <p>
          <Link to="/support/settlements">
            {counts.settlement_differences === 1
              ? '1 settlement differs'
              : `${counts.settlement_differences.toLocaleString('en-IN')} settlement differences`}
          </Link>
          , which the settlements list.
        </p>
      )}
      {counts && counts.acknowledged_differences > 0 && (
        <p>
          {counts.acknowledged_differences.toLocaleString('en-IN')} more{' '}
          {counts.acknowledged_differences === 1 ? 'was acknowledged and stays' : 'were acknowledged and stay'}:{' '}
          <Link to="/support/settlements">who, when and why</Link>.
        </p>
      )}
      <BooksLock />
    </>
  );
}
