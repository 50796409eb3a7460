import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Notice } from '@/ui/notice';
import { formatDate, formatLastDay, formatMobile } from '@/lib/format';
import type { Customer } from '../api/customers';
import { gatewayName, statusName } from './customer-words';
import { count } from '../shared/count';
import { Facts, type Fact } from '../shared/facts';
import { When } from '../shared/when';
import type { Waits } from './use-waits';

/** The last payment's amount, state, time and reason, with a link to the payment's page. */
function LastPayment({ payment: p, now }: { payment: NonNullable<Customer['last_payment']>; now: number }) {
  return (
    <>
      <Link to={`/support/payments/${p.transaction_id}`}>
        {p.amount} {statusName(p.state)}
      </Link>
      , <When at={p.at} now={now} />, {gatewayName(p.gateway)}
      {p.reason && <>: {p.reason}</>}
    </>
  );
}

/** The members who may also act in the account; renders nothing for an empty team. */
function TeamFacts({ team, now }: { team: Customer['team']; now: number }) {
  if (team.length === 0) return null;
  return (
    <section aria-label="Team">
      <h2>Team</h2>
      <Facts
        of={team.map(({ name, mobile, role, state, last_seen_at: seen }) => [
          name,
          <>
            {role}, {state === 'active' ? 'member' : 'invited'}, {formatMobile(mobile)}
            {seen && (
              <>
                , last seen <When at={seen} now={now} />
              </>
            )}
          </>,
          { copy: mobile },
        ])}
      />
    </section>
  );
}

function nextBill({ erase_on: eraseOn, next_bill: bill }: Customer): string {
  // Matches the customer's dashboard: nothing is billed while the account is to be erased.
  if (eraseOn) return `Nothing is billed: the account is to be erased on ${formatDate(eraseOn)} at the earliest`;
  return bill ? `${bill.amount} on ${formatDate(bill.on)}` : 'None';
}

function Part({ title, of, children }: { title: string; of: readonly Fact[]; children?: ReactNode }) {
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <Facts of={of} />
      {children}
    </section>
  );
}

/** The customer's identity, plan, and next bill. */
export function CustomerFacts({ customer: c, now }: { customer: Customer; now: number }) {
  const bill = c.erase_on ? null : c.next_bill;
  return (
    <div className="customer-facts">
      <Part
        title="Plan and money"
        of={[
          ['Plan', c.plan ? `${c.plan}, ${c.plan_type}` : 'None'],
          c.add_ons.length > 0 && ['Add-ons', c.add_ons.join(', ')],
          ['Next bill', nextBill(c)],
          c.renew_on && ['Ends', formatLastDay(c.renew_on)],
          bill && [c.state === 'grace' ? 'Grace ends' : 'To be paid by', formatDate(bill.pay_by)],
          ['Last payment', c.last_payment ? <LastPayment payment={c.last_payment} now={now} /> : 'None'],
          ['Given back in all', c.refunded === '₹0' ? 'Nothing' : c.refunded],
          c.open_disputes > 0 && ['In dispute', count(c.open_disputes, 'payment')],
        ]}
      >
        <p>
          <Link to={`/support/customers/${c.id}/account`}>Statement of account and revenue</Link>
        </p>
      </Part>
      <Part
        title="Person"
        of={[
          !c.erased && ['Person', c.name || 'None'],
          c.legal_name && ['Legal name', c.legal_name],
          c.gstin && ['GSTIN', c.gstin, { copy: c.gstin }],
          !c.erased && ['Mobile', formatMobile(c.mobile), { copy: c.mobile }],
          !c.erased && ['E-mail', c.email, { copy: c.email }],
          ['Address', c.address || 'None'],
          ['Customer since', <When at={c.created_at} now={now} />],
          ['Last seen', c.last_seen_at ? <When at={c.last_seen_at} now={now} /> : 'Not in the last 30 days'],
          ['Open sessions', c.open_sessions],
          ['Authenticator', c.totp_enabled ? 'In use' : 'Not in use'],
          ['Id', c.id, { copy: c.id }],
        ]}
      />
      <TeamFacts team={c.team} now={now} />
      <Part
        title="Store"
        of={[
          ['Name', c.store_name || 'None'],
          c.store_slug && ['Default domain', c.store_slug],
          ['Own domain', c.domain ? `${c.domain} (${c.domain_state})` : 'None'],
        ]}
      />
    </div>
  );
}

/** Links to where a fault is handled or explained. */
function placeOf(customer: string, kind: string, payment: string): ReactNode {
  if (kind === 'job') return <Link to={`/support/jobs?customer=${customer}`}>Failed jobs</Link>;
  const more =
    kind === 'settlement' ? (
      <Link to="/support/settlements">Settlements</Link>
    ) : kind === 'approval' ? (
      <Link to="/support/approvals?state=waiting">Approvals</Link>
    ) : null;
  if (!payment)
    return (
      more ??
      (kind && (
        <Link to={`?kind=${kind}`} preventScrollReset>
          Show
        </Link>
      ))
    );
  return (
    <>
      <Link to={`/support/payments/${payment}`}>The payment</Link>
      {more && <> · {more}</>}
    </>
  );
}

/** The customer's problems, worst first, each linking to details: those of the account, then what is late. */
export function CustomerHealth({ customer: c, waits }: { customer: Customer; waits: Waits }) {
  const { known, late, overdue } = waits;
  if (!known && c.health.length === 0) return null;
  if (c.health.length === 0 && late === 0 && overdue === 0) return <Notice tone="success">No known problems.</Notice>;
  return (
    <ul className="customer-health" aria-label="What is wrong">
      {c.health.map(({ level, text, kind, payment }, index) => (
        <li key={`${index} ${text}`}>
          <Notice tone={level === 'bad' ? 'danger' : 'warning'}>
            {text} {placeOf(c.id, kind, payment)}
          </Notice>
        </li>
      ))}
      {late > 0 && (
        <li>
          <Notice tone="danger">
            {count(late, 'delivery is', 'deliveries are')} late.{' '}
            <Link to={`/support/deliveries?customer=${c.id}&state=late`}>Show</Link>
          </Notice>
        </li>
      )}
      {overdue > 0 && (
        <li>
          <Notice tone="danger">
            {count(overdue, 'contact request is', 'contact requests are')} overdue.{' '}
            <Link to={`/support/contacts?customer=${c.id}&overdue=true`}>Show</Link>
          </Notice>
        </li>
      )}
    </ul>
  );
}
