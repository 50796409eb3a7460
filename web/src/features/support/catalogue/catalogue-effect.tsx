import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { usePage } from '@/ui/list/use-list-state';
import { Pagination } from '@/ui/pagination';
import { Async } from '@/ui/states';
import { ListTable } from '@/ui/list/list-table';
import { formatDate } from '@/lib/format';
import { effectQuery, type CatalogueEffect as Effect } from '../api/catalogue';
import { rupees } from '../customers/customer-words';
import { count } from '../shared/count';

const periods = { monthly: 'monthly', yearly: 'yearly' };
const orNotSold = (paise: number | null) => (paise === null ? 'Not sold' : rupees(paise));

function Groups({ of }: { of: Effect['groups'] }) {
  return (
    <ListTable
      wide
      caption="Renewals by plan and period"
      rows={of}
      rowKey={(one) => `${one.tier} ${one.plan_type}`}
      columns={[
        {
          label: 'Plan',
          cell: (one) => (
            <>
              {one.tier}, {periods[one.plan_type]}
            </>
          ),
        },
        { label: 'Customers', cell: (one) => one.customers },
        { label: 'Dearer', cell: (one) => one.dearer },
        { label: 'Cheaper', cell: (one) => one.cheaper },
        { label: 'Not sold any more', cell: (one) => one.ended },
        { label: 'Now, before tax', cell: (one) => rupees(one.before_paise), numeric: true },
        { label: 'Then, before tax', cell: (one) => rupees(one.after_paise), numeric: true },
      ]}
    />
  );
}

/** Whom a change makes pay more or less at the next renewal. */
export function CatalogueEffect({ id, edit }: { id: string; edit: number }) {
  const shown = useQuery(effectQuery(id, edit, usePage()));
  const effect = shown.data;
  return (
    <section aria-labelledby="catalogue-effect">
      <h2 id="catalogue-effect">Who is affected</h2>
      <Async query={shown} what="the effect" lines={4} />
      {effect && (
        <>
          <p>
            {effect.affected} of {count(effect.customers, 'customer')} with a paid plan{' '}
            {effect.affected === 1 ? 'renews' : 'renew'} at another price.
            {effect.tax_changes && ' The rate of GST changes, so every bill does.'} Revenue a month, before tax:{' '}
            {rupees(effect.monthly_before_paise)} now, {rupees(effect.monthly_after_paise)} then (
            {effect.monthly_after_paise < effect.monthly_before_paise ? '' : '+'}
            {rupees(effect.monthly_after_paise - effect.monthly_before_paise)}).
          </p>
          <p className="console-hint">
            Once the change is approved, whoever renews at another price is told by SMS, by e-mail and on the dashboard,
            45 days before that renewal or as soon as it is known; and again if the change is withdrawn.
          </p>
          {effect.groups.length > 0 && <Groups of={effect.groups} />}
          {effect.renewals.length > 0 && (
            <ListTable
              wide
              caption="Customers whose bill changes"
              rows={effect.renewals}
              rowKey={(one) => one.customer_id}
              columns={[
                {
                  label: 'Customer',
                  cell: (one) => (
                    <Link to={`/support/customers/${one.customer_id}`}>{one.customer_name || 'Customer'}</Link>
                  ),
                  long: true,
                },
                {
                  label: 'Plan',
                  cell: (one) => (
                    <>
                      {one.tier}, {periods[one.plan_type]}
                    </>
                  ),
                },
                { label: 'Renews on', cell: (one) => formatDate(one.renews_on) },
                { label: 'Now, with GST', cell: (one) => orNotSold(one.total_before_paise) },
                { label: 'Then, with GST', cell: (one) => orNotSold(one.total_after_paise) },
              ]}
            />
          )}
          <Pagination label="Pages of customers" current={effect.page} last={effect.last_page} />
        </>
      )}
    </section>
  );
}
