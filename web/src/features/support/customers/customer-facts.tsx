import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { CopyButton } from '@/ui/copy-button';
import { Notice } from '@/ui/notice';
import { formatDate, formatLastDay, formatMobile } from '@/lib/format';
import type { Customer } from '../api/customers';
import { gatewayName, statusName } from './customer-words';
import { count } from '../shared/count';
import { When } from '../shared/when';
import type { Waits } from './use-waits';

/** A name and its value in a list of facts, with a copy button for `copy`. */
export function Fact({ name, children, copy }: { name: string; children: ReactNode; copy?: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <span>{children}</span>
        {copy && <CopyButton value={copy} what={name.toLowerCase()} />}
      </dd>
    </div>
  );
}

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
      <dl>
        {team.map(({ id, name, mobile, role, state, last_seen_at: seen }) => (
          <Fact key={id} name={name} copy={mobile}>
            {role}, {state === 'active' ? 'member' : 'invited'}, {formatMobile(mobile)}
            {seen && (
              <>
                , last seen <When at={seen} now={now} />
              </>
            )}
          </Fact>
        ))}
      </dl>
    </section>
  );
}

/** The customer's identity, plan, and next bill. */
export function CustomerFacts({ customer: c, now }: { customer: Customer; now: number }) {
  // Matches the customer's dashboard: nothing is billed while the account is to be erased.
  const bill = c.erase_on ? null : c.next_bill;
  return (
    <div className="customer-facts">
      <section aria-label="Plan and money">
        <h2>Plan and money</h2>
        <dl>
          <Fact name="Plan">{c.plan ? `${c.plan}, ${c.plan_type}` : 'None'}</Fact>
          {c.add_ons.length > 0 && <Fact name="Add-ons">{c.add_ons.join(', ')}</Fact>}
          <Fact name="Next bill">
            {c.erase_on
              ? `Nothing is billed: the account is to be erased on ${formatDate(c.erase_on)} at the earliest`
              : bill
                ? `${bill.amount} on ${formatDate(bill.on)}`
                : 'None'}
          </Fact>
          {c.renew_on && <Fact name="Ends">{formatLastDay(c.renew_on)}</Fact>}
          {bill && <Fact name={c.state === 'grace' ? 'Grace ends' : 'To be paid by'}>{formatDate(bill.pay_by)}</Fact>}
          <Fact name="Last payment">
            {c.last_payment ? <LastPayment payment={c.last_payment} now={now} /> : 'None'}
          </Fact>
          <Fact name="Given back in all">{c.refunded === '₹0' ? 'Nothing' : c.refunded}</Fact>
          {c.open_disputes > 0 && <Fact name="In dispute">{count(c.open_disputes, 'payment')}</Fact>}
        </dl>
        <p>
          <Link to={`/support/customers/${c.id}/account`}>Statement of account and revenue</Link>
        </p>
      </section>
      <section aria-label="Person">
        <h2>Person</h2>
        <dl>
          {!c.erased && <Fact name="Person">{c.name || 'None'}</Fact>}
          {c.legal_name && <Fact name="Legal name">{c.legal_name}</Fact>}
          {c.gstin && (
            <Fact name="GSTIN" copy={c.gstin}>
              {c.gstin}
            </Fact>
          )}
          {!c.erased && (
            <>
              <Fact name="Mobile" copy={c.mobile}>
                {formatMobile(c.mobile)}
              </Fact>
              <Fact name="E-mail" copy={c.email}>
                {c.email}
              </Fact>
            </>
          )}
          <Fact name="Address">{c.address || 'None'}</Fact>
          <Fact name="Customer since">
            <When at={c.created_at} now={now} />
          </Fact>
          <Fact name="Last seen">
            {c.last_seen_at ? <When at={c.last_seen_at} now={now} /> : 'Not in the last 30 days'}
          </Fact>
          <Fact name="Open sessions">{String(c.open_sessions)}</Fact>
          <Fact name="Authenticator">{c.totp_enabled ? 'In use' : 'Not in use'}</Fact>
          <Fact name="Id" copy={c.id}>
            {c.id}
          </Fact>
        </dl>
      </section>
      <TeamFacts team={c.team} now={now} />
      <section aria-label="Store">
        <h2>Store</h2>
        <dl>
          <Fact name="Name">{c.store_name || 'None'}</Fact>
          {c.store_slug && <Fact name="Default domain">{c.store_slug}</Fact>}
          <Fact name="Own domain">{c.domain ? `${c.domain} (${c.domain_state})` : 'None'}</Fact>
        </dl>
      </section>
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
