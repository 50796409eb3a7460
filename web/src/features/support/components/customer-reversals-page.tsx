import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { Button } from '@/components/button';
import { Badge } from '@/components/notice';
import { Pagination } from '@/components/pagination';
import { EmptyState, ErrorState, Loading, Skeleton } from '@/components/states';
import { usePageMeta } from '@/lib/page-meta';
import { toast } from '@/lib/toast';
import { decideReversal, moneyKey, reversalsKey, reversalsQuery, type Reversal } from '../api/help';
import { meQuery } from '../api/queries';
import { gatewayName } from './customer-words';
import { ReasonDialog } from './reason-dialog';
import { customerOf, question, requestKinds, requestState, requestStates, usualReasons } from './request-words';
import { When } from './when';
import './support-customers.scss';

const tones = {
  waiting: 'warning',
  approved: 'warning',
  declined: undefined,
  done: 'success',
  failed: 'danger',
} as const;

/** What becomes of what the payment bought, as the worker will judge it. */
const aftermaths: Record<NonNullable<Reversal['afterwards']>, string> = {
  ends: 'With this all of the payment is back, and what it bought ends that day.',
  kept: 'With this all of the payment is back. What it bought goes on, as goodwill.',
  goes_on: 'A part of what was paid for it stays with us, so what the payment bought goes on.',
};
const afterwards = ({ afterwards: what }: Reversal): string | undefined => (what ? aftermaths[what] : undefined);

/** Money that is to go back; above the operator's limit a second admin decides. */
export function ReversalsPage() {
  usePageMeta({ title: 'Approvals' });
  const [params, setParams] = useSearchParams();
  const [deciding, setDeciding] = useState<{ reversal: Reversal; what: 'approve' | 'decline' }>();
  const queries = useQueryClient();
  const me = useQuery(meQuery);
  const state = (Object.keys(requestStates) as Reversal['state'][]).find((one) => one === params.get('state'));
  const list = useQuery({
    ...reversalsQuery({ page: Math.max(1, Number(params.get('page')) || 1), ...(state && { state }) }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <div className="console-bar">
        <h1>Approvals</h1>
        <label htmlFor="reversal-state">Show</label>
        <select
          id="reversal-state"
          className="input"
          value={state ?? ''}
          onChange={(event) => setParams(event.target.value ? { state: event.target.value } : {}, { replace: true })}
        >
          <option value="">All</option>
          {Object.entries(requestStates).map(([one, name]) => (
            <option key={one} value={one}>
              {name}
            </option>
          ))}
        </select>
      </div>
      {!list.data && list.error && (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} what="the requests" />
      )}
      {list.isPending && (
        <Loading what="the requests">
          <Skeleton lines={6} />
        </Loading>
      )}
      {list.data?.data.length === 0 && (
        <EmptyState title="Nothing here">
          Refunds, credit notes and bank transfers that admins ask for on a payment arrive here.
        </EmptyState>
      )}
      <ul className="console-contacts">
        {list.data?.data.map((one) => (
          <li key={one.id}>
            <div className="contact-head">
              <h2>
                {one.amount} · {requestKinds[one.kind]}
              </h2>{' '}
              <Badge tone={tones[one.state]}>{requestState(one.kind, one.state)}</Badge>
            </div>
            <p>
              <Link to={`/support/customers/${one.customer_id}?entry=payment.${one.payment_id}`}>
                {customerOf(one)}
              </Link>{' '}
              · <Link to={`/support/payments/${one.transaction_id}`}>{one.transaction_id}</Link>, {one.paid} at{' '}
              {gatewayName(one.gateway)}, {one.bought}
              {one.bank_reference && ` · UTR ${one.bank_reference}`}
            </p>
            <p>
              Asked for by {one.requested_by_name}, <When at={one.requested_at} now={list.dataUpdatedAt} />:{' '}
              {one.reason}
            </p>
            {one.printed_reason && <p>Printed on the credit note: {one.printed_reason}</p>}
            {afterwards(one) && <p>{afterwards(one)}</p>}
            {one.decided_at && (
              <p>
                Decided by {one.decided_by_name}, <When at={one.decided_at} now={list.dataUpdatedAt} />:{' '}
                {one.decision_reason}
              </p>
            )}
            {one.failure && <p className="console-error">{one.failure}</p>}
            {one.state === 'waiting' && me.data?.role === 'admin' && one.requested_by !== me.data.id && (
              <div className="entry-acts">
                <Button size="sm" onClick={() => setDeciding({ reversal: one, what: 'approve' })}>
                  Approve<span className="visually-hidden"> {one.amount}</span>
                </Button>
                <Button variant="outline" size="sm" onClick={() => setDeciding({ reversal: one, what: 'decline' })}>
                  Decline<span className="visually-hidden"> {one.amount}</span>
                </Button>
              </div>
            )}
            {one.state === 'waiting' && one.requested_by === me.data?.id && (
              <p className="console-hint">You asked for it, so that another admin decides.</p>
            )}
          </li>
        ))}
      </ul>
      {list.data && (
        <Pagination label="Pages of requests" current={list.data.current_page} last={list.data.last_page} />
      )}
      {deciding && (
        <ReasonDialog
          title={question(deciding.reversal, deciding.what)[0]}
          effect={
            <>
              <p>
                {requestKinds[deciding.reversal.kind]} of {deciding.reversal.transaction_id}: {deciding.reversal.paid}{' '}
                at {gatewayName(deciding.reversal.gateway)}, {deciding.reversal.bought}.
              </p>
              <p>
                {question(deciding.reversal, deciding.what)[1]}{' '}
                {deciding.what === 'approve' && afterwards(deciding.reversal)}
              </p>
            </>
          }
          label={deciding.what === 'approve' ? `Approve ${deciding.reversal.amount}` : 'Decline'}
          suggestions={usualReasons(deciding.reversal, deciding.what)}
          act={(reason) => decideReversal(deciding.reversal.id, deciding.what, reason)}
          onClose={() => setDeciding(undefined)}
          onDone={({ message }) => {
            setDeciding(undefined);
            toast.success(message);
            for (const queryKey of [reversalsKey, moneyKey, ['support', 'customer'], ['support', 'trail']])
              void queries.invalidateQueries({ queryKey });
          }}
        />
      )}
    </>
  );
}
