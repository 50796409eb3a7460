import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Pagination } from '@/components/pagination';
import { QueryStates } from '@/components/states';
import { formatDate } from '@/lib/format';
import { effectQuery, type CatalogueEffect as Effect } from '../api/catalogue';
import { ConsoleTable } from './console-table';
import { rupees } from './customer-words';

const periods = { monthly: 'monthly', yearly: 'yearly' };
const orNotSold = (paise: number | null) => (paise === null ? 'Not sold' : rupees(paise));

function Groups({ of }: { of: Effect['groups'] }) {
  const heads = ['Plan', 'Customers', 'Dearer', 'Cheaper', 'Not sold any more', 'Now, before tax', 'Then, before tax'];
  return (
    <ConsoleTable wide caption="Renewals by plan and period" heads={heads}>
      {of.map((one) => (
        <tr key={`${one.tier} ${one.plan_type}`}>
          <th scope="row">
            {one.tier}, {periods[one.plan_type]}
          </th>
          <td data-label="Customers">{one.customers}</td>
          <td data-label="Dearer">{one.dearer}</td>
          <td data-label="Cheaper">{one.cheaper}</td>
          <td data-label="Not sold any more">{one.ended}</td>
          <td data-label="Now, before tax">{rupees(one.before_paise)}</td>
          <td data-label="Then, before tax">{rupees(one.after_paise)}</td>
        </tr>
      ))}
    </ConsoleTable>
  );
}

/** Whom a change makes pay more or less at the next renewal. */
export function CatalogueEffect({ id, edit, page }: { id: string; edit: number; page: number }) {
  const shown = useQuery(effectQuery(id, edit, page));
  const effect = shown.data;
  return (
    <section aria-labelledby="catalogue-effect">
      <h2 id="catalogue-effect">Who is affected</h2>
      <QueryStates query={shown} what="the effect" lines={4} />
      {effect && (
        <>
          <p>
            {effect.affected} of {effect.customers} customers with a paid plan renew at another price.
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
            <ConsoleTable
              wide
              caption="Customers whose bill changes"
              heads={['Customer', 'Plan', 'Renews on', 'Now, with GST', 'Then, with GST']}
            >
              {effect.renewals.map((one) => (
                <tr key={one.customer_id}>
                  <th scope="row" className="console-clip">
                    <Link to={`/support/customers/${one.customer_id}`}>{one.customer_name || 'Customer'}</Link>
                  </th>
                  <td data-label="Plan">
                    {one.tier}, {periods[one.plan_type]}
                  </td>
                  <td data-label="Renews on">{formatDate(one.renews_on)}</td>
                  <td data-label="Now, with GST">{orNotSold(one.total_before_paise)}</td>
                  <td data-label="Then, with GST">{orNotSold(one.total_after_paise)}</td>
                </tr>
              ))}
            </ConsoleTable>
          )}
          <Pagination label="Pages of customers" current={effect.page} last={effect.last_page} />
        </>
      )}
    </section>
  );
}
