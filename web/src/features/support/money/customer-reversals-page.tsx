import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { ListPage } from '@/ui/list/list-page';
import { ListFilter } from '@/ui/list/list-filter';
import { oneOf, useListState } from '@/ui/list/use-list-state';
import { Badge } from '@/ui/notice';
import { PageBar } from '@/ui/list/page-bar';
import { decideReversal, reversalsQuery, trailQuery, type Reversal } from '../api/help';
import type { StaffActState } from '../api/acts';
import { meQuery } from '../api/queries';
import { useMay } from '../api/rights';
import { decisions } from '../staff/act-words';
import { ActsList } from '../staff/acts-list';
import { CsvLink } from '../shared/csv-link';
import { gatewayName } from '../customers/customer-words';
import { ReasonDialog } from '../shared/reason-dialog';
import {
  customerOf,
  question,
  requestKinds,
  requestState,
  actStates,
  requestStates,
  requestTones,
  usualReasons,
} from '../customers/request-words';
import { DecisionButton, SecondPerson } from '../staff/second-person';
import { When } from '../shared/when';
import { WithheldNote } from '../books/withheld-note';
import '../customers/support-customers.scss';
import { Offer } from '../shared/offer';

interface Deciding {
  of: Reversal;
  what: 'approve' | 'decline' | 'withdraw';
}

/** What the worker will do with the purchase after the refund. */
const aftermaths: Record<NonNullable<Reversal['afterwards']>, string> = {
  ends: 'With this all of the payment is back, and what it bought ends that day.',
  kept: 'With this all of the payment is back. What it bought goes on, as goodwill.',
  goes_on: 'A part of what was paid for it stays with us, so what the payment bought goes on.',
};
const afterwards = ({ afterwards: what }: Reversal): string | undefined => (what ? aftermaths[what] : undefined);

interface RequestProps {
  of: Reversal;
  me: { id: string; role: string } | undefined;
  now: number;
  onDecide: (what: Deciding['what']) => void;
}

function Request({ of, me, now, onDecide }: RequestProps) {
  const mayDecide = me?.role === 'admin' && of.requested_by !== me.id;
  return (
    <li>
      <div className="contact-head">
        <h3>
          {of.amount} · {requestKinds[of.kind]}
        </h3>{' '}
        <Badge tone={requestTones[of.state]}>{requestState(of.kind, of.state)}</Badge>
      </div>
      <p>
        <Link to={`/support/customers/${of.customer_id}?entry=payment.${of.payment_id}`}>{customerOf(of)}</Link> ·{' '}
        <Link to={`/support/payments/${of.transaction_id}`}>{of.transaction_id}</Link>, {of.paid} at{' '}
        {gatewayName(of.gateway)}, {of.bought}
        {of.bank_reference && ` · UTR ${of.bank_reference}`}
      </p>
      <p>
        Asked for by {of.requested_by_name}, <When at={of.requested_at} now={now} />: {of.reason}
      </p>
      {of.printed_reason && <p>Printed on the credit note: {of.printed_reason}</p>}
      {afterwards(of) && <p>{afterwards(of)}</p>}
      {of.decided_at && (
        <p>
          Decided by {of.decided_by_name}, <When at={of.decided_at} now={now} />: {of.decision_reason}
        </p>
      )}
      {of.state === 'withdrawn' && <p>Withdrawn: {of.decision_reason}</p>}
      {of.failure && <p className="console-error">{of.failure}</p>}
      {of.state === 'waiting' && mayDecide && (
        <div className="entry-acts">
          <SecondPerson askedBy={of.requested_by}>
            <DecisionButton size="sm" onClick={() => onDecide('approve')}>
              Approve<span className="visually-hidden"> {of.amount}</span>
            </DecisionButton>
            <DecisionButton variant="outline" size="sm" onClick={() => onDecide('decline')}>
              Decline<span className="visually-hidden"> {of.amount}</span>
            </DecisionButton>
          </SecondPerson>
        </div>
      )}
      {of.state === 'waiting' && of.requested_by === me?.id && (
        <div className="entry-acts">
          <p className="console-hint">You asked for it, so another admin decides.</p>
          <Offer onClick={() => onDecide('withdraw')} of={of.amount}>
            Withdraw
          </Offer>
        </div>
      )}
    </li>
  );
}

/** Collects the second admin's reason, and explains the effect of the decision. */
function DecideDialog({ of, what, onClose }: Deciding & { onClose: () => void }) {
  const [title, effect] = question(of, what);
  // What the statement shows is less than the credit note where the customer had deducted tax.
  const byBank = what === 'approve' && of.kind === 'credit_note' && of.gateway === 'bank';
  const { data: trail } = useQuery({ ...trailQuery(of.payment_id), enabled: byBank });
  return (
    <ReasonDialog
      title={title}
      effect={
        <>
          <p>
            {requestKinds[of.kind]} of {of.transaction_id}: {of.paid} at {gatewayName(of.gateway)}, {of.bought}.
          </p>
          <p>
            {effect} {what === 'approve' && afterwards(of)}
          </p>
          {byBank && trail && trail.withheld_paise > 0 && (
            <WithheldNote amount={of.amount.slice(1)} withheld={trail.withheld_paise} left={trail.left_paise} />
          )}
        </>
      }
      label={what === 'approve' ? `Approve ${of.amount}` : decisions[what].label}
      suggestions={usualReasons(of, what)}
      act={(reason) => decideReversal(of.id, what, reason)}
      onClose={onClose}
    />
  );
}

/** Refunds and other reversals; above the operator's limit a second admin decides. */
export function ReversalsPage() {
  const [deciding, setDeciding] = useState<Deciding>();
  const me = useQuery(meQuery);
  const mayActs = useMay('ops');
  const { filter, page } = useListState({ state: oneOf<StaffActState>(actStates) });
  const chosen = filter.state;
  const state = (Object.keys(requestStates) as Reversal['state'][]).find((one) => one === chosen);
  const list = useQuery({
    ...reversalsQuery({ page, ...(state && { state }) }),
    enabled: chosen === state, // refunds have no scheduled state
  });
  const shown = chosen === state;
  return (
    <>
      <PageBar title="Approvals">
        <ListFilter label="Show" name="state" options={actStates} />
        {shown && <CsvLink list="reversals" filter={{ state }} of="money to go back" />}
      </PageBar>
      {shown && (
        <ListPage
          untitled
          title="Money to go back"
          query={list}
          what="the requests"
          intro={<h2>Money to go back</h2>}
          empty={
            <>
              Refunds, credit notes and bank transfers that admins ask for on a payment arrive here. What a transfer
              that came in is used for is decided under <Link to="/support/transfers">Bank transfers</Link>.
            </>
          }
          rowKey={(one) => one.id}
          card={(one) => (
            <Request
              of={one}
              me={me.data}
              now={list.dataUpdatedAt}
              onDecide={(what) => setDeciding({ of: one, what })}
            />
          )}
        />
      )}
      {mayActs && <ActsList state={chosen} />}
      {deciding && <DecideDialog {...deciding} onClose={() => setDeciding(undefined)} />}
    </>
  );
}
