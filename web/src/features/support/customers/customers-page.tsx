import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import { Button } from '@/ui/button';
import { ListPage } from '@/ui/list/list-page';
import { type Column } from '@/ui/list/list-table';
import { anyText, oneOf, onlyTrue, useListState } from '@/ui/list/use-list-state';
import { Badge } from '@/ui/notice';
import { formatDate, formatDay, formatMobile } from '@/lib/format';
import { planNamesQuery } from '../api/acts';
import { customersQuery, type ListedCustomer } from '../api/customers';
import { statusName, toneOf } from './customer-words';
import './support-customers.scss';

const states = ['no plan', 'trialing', 'active', 'grace', 'expired', 'ended_by_refund', 'lapsed'] as const;
const stateNames = Object.fromEntries(states.map((state) => [state, statusName(state)]));
const renewals = { 7: 'in 7 days', 30: 'in 30 days', 90: 'in 90 days' };
const signUps = { 1: 'Today', 7: 'Last 7 days', 30: 'Last 30 days', 90: 'Last 90 days' };
const debts = { true: 'Owe money' };
const sorts = { newest: 'Newest first', renewal: 'Next renewal first' };
const sizes = { 20: '20', 50: '50', 100: '100' };

const columnsWith = (plans: readonly string[]): Column<ListedCustomer>[] => [
  {
    label: 'Customer',
    long: true,
    cell: (one) => (
      <>
        <Link to={`/support/customers/${one.id}`}>{one.name || formatMobile(one.mobile)}</Link>
        {one.person && one.person !== one.name && <span className="console-hint d-block">{one.person}</span>}
      </>
    ),
  },
  { label: 'Mobile', cell: (one) => formatMobile(one.mobile) },
  {
    label: 'State',
    cell: (one) => <Badge tone={toneOf(one.state)}>{statusName(one.state)}</Badge>,
    filter: { name: 'state', options: stateNames },
  },
  {
    label: 'Plan',
    cell: (one) => (one.plan ? `${one.plan}, ${one.plan_type}` : 'None'),
    filter: { name: 'plan', options: Object.fromEntries(plans.map((name) => [name, name])) },
  },
  {
    label: 'Renews',
    cell: (one) => (one.renew_on ? formatDate(one.renew_on) : '–'),
    filter: { name: 'renews_within', options: renewals },
  },
  {
    label: 'Last payment',
    cell: ({ last_payment: paid }) =>
      paid ? (
        <>
          <Link to={`/support/payments/${paid.transaction_id}`}>{paid.amount}</Link>{' '}
          <span className="console-hint">{statusName(paid.state)}</span>
        </>
      ) : (
        'None'
      ),
    filter: { name: 'owes', label: 'Debt', options: debts },
  },
  {
    label: 'Signed up',
    cell: (one) => formatDay(one.created_at),
    filter: [
      { name: 'signed_up_within', options: signUps },
      { name: 'sort', label: 'Order', options: sorts, otherwise: 'newest' },
      { name: 'per_page', label: 'Rows', options: sizes, otherwise: '20' },
    ],
  },
];

/** The customers, filtered by plan, state, renewal, debt and sign-up. */
export function CustomersPage() {
  const plans = useQuery(planNamesQuery);
  const after = useSearchParams()[0].get('after');
  const { filter, page, set, narrowed } = useListState({
    state: oneOf(states),
    plan: anyText,
    renews_within: oneOf(renewals),
    owes: onlyTrue,
    signed_up_within: oneOf(signUps),
    sort: oneOf(sorts),
    per_page: oneOf(sizes),
    tag: anyText,
  });
  const { renews_within: renews, signed_up_within: since, per_page: size = 20, ...rest } = filter;
  const list = useQuery(
    customersQuery({
      page,
      ...rest,
      per_page: Number(size),
      ...(after && { after }),
      ...(renews && { renews_within: Number(renews) }),
      ...(since && { signed_up_within: Number(since) }),
    }),
  );
  return (
    <ListPage
      wide
      title="Customers"
      query={list}
      what="the customers"
      columns={columnsWith(plans.data ?? [])}
      rowKey={(one) => one.id}
      acts={
        narrowed && (
          <Button
            size="sm"
            variant="quiet"
            onClick={() =>
              set(
                Object.fromEntries(
                  ['state', 'plan', 'renews_within', 'owes', 'signed_up_within', 'tag'].map((one) => [one, '']),
                ),
              )
            }
          >
            Clear filters
          </Button>
        )
      }
      intro={
        filter.tag && (
          <p className="console-hint">
            With the tag <strong>{filter.tag}</strong>.
          </p>
        )
      }
      emptyTitle={narrowed ? 'No customer matches' : 'No customers yet'}
      empty={
        narrowed
          ? 'Choose fewer filters, or search above by a name or number.'
          : 'Each person appears here after signing up.'
      }
    />
  );
}
