import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { Button } from '@/components/button';
import { Pagination } from '@/components/pagination';
import { QueryStates } from '@/components/states';
import { explain } from '@/lib/api/errors';
import { formatDate, formatInstant } from '@/lib/format';
import { usePageMeta } from '@/lib/page-meta';
import {
  beginDraft,
  catalogueKey,
  changesQuery,
  soldQuery,
  type Catalogue,
  type SoldCatalogue,
} from '../api/catalogue';
import { useMay } from '../api/rights';
import { inPlace } from '../api/support';
import { changeStates, percent } from './catalogue-words';
import { ConsoleTable } from './console-table';
import { rupees } from './customer-words';
import './support-customers.scss';

/** Every tier with its prices before tax, and the add-ons of each. */
export function CatalogueTables({ of }: { of: Catalogue }) {
  return (
    <>
      <p>
        GST: {of.gst_rates.map(({ from, rate_bps }) => `${percent(rate_bps)} from ${formatDate(from)}`).join(', ')}.
        Amounts are before tax.
      </p>
      <ConsoleTable
        wide
        caption="Plans and prices"
        heads={['Plan', 'Franchises', 'Month', 'Year', 'Discount of a year', 'All-in year', 'Add-ons']}
      >
        {of.plans.flatMap((plan) =>
          plan.services.map((tier) => (
            <tr key={`${plan.plan} ${tier.tier}`}>
              <th scope="row">
                {plan.plan} · {tier.tier}
              </th>
              <td data-label="Franchises">{tier.franchise_limit.toLocaleString('en-IN')}</td>
              <td data-label="Month">{rupees(tier.monthly_paise)}</td>
              <td data-label="Year">{rupees(tier.yearly_paise)}</td>
              <td data-label="Discount of a year">{rupees(tier.yearly_discount_paise)}</td>
              <td data-label="All-in year">{rupees(tier.all_in_yearly_paise)}</td>
              <td data-label="Add-ons" className="console-clip">
                {tier.add_ons
                  .map((one) =>
                    one.once_paise > 0
                      ? `${one.name} ${rupees(one.once_paise)} once`
                      : `${one.name} ${rupees(one.monthly_paise)} a month, ${rupees(one.yearly_paise)} a year`,
                  )
                  .join('; ') || 'None'}
              </td>
            </tr>
          )),
        )}
      </ConsoleTable>
    </>
  );
}

function History({ of }: { of: SoldCatalogue['history'] }) {
  return (
    <>
      <h2>History</h2>
      <ConsoleTable
        caption="Catalogues that were sold"
        heads={['Name', 'Sold from', 'Proposed by', 'Approved by', 'Why']}
      >
        {of.map((one) => (
          <tr key={one.revision}>
            <th scope="row">
              {one.change_id ? <Link to={`/support/catalogue/${one.change_id}`}>{one.version}</Link> : one.version}
            </th>
            <td data-label="Sold from">{formatInstant(one.sold_from)}</td>
            <td data-label="Proposed by">{one.proposed_by_name || 'Loaded from a file'}</td>
            <td data-label="Approved by">{one.approved_by_name || 'Nobody'}</td>
            <td data-label="Why">{one.reason || 'Not said'}</td>
          </tr>
        ))}
      </ConsoleTable>
    </>
  );
}

function Changes({ page }: { page: number }) {
  const list = useQuery(changesQuery(page));
  return (
    <>
      <h2>Changes</h2>
      <QueryStates query={list} what="the changes" lines={3} />
      {list.data?.data.length === 0 && <p>There are none yet.</p>}
      {list.data && list.data.data.length > 0 && (
        <ConsoleTable caption="Changes" heads={['Name', 'State', 'Effective from', 'Last saved by', 'On']}>
          {list.data.data.map((one) => (
            <tr key={one.id}>
              <th scope="row">
                <Link to={`/support/catalogue/${one.id}`}>{one.version || 'Without a name'}</Link>
              </th>
              <td data-label="State">{changeStates[one.state]}</td>
              <td data-label="Effective from">{one.effective_from ? formatInstant(one.effective_from) : 'Not set'}</td>
              <td data-label="Last saved by">{one.edited_by_name}</td>
              <td data-label="On">{formatInstant(one.edited_at)}</td>
            </tr>
          ))}
        </ConsoleTable>
      )}
      {list.data && <Pagination label="Pages of changes" current={list.data.current_page} last={list.data.last_page} />}
    </>
  );
}

/** What is sold, since when, and the changes that wait or were made. */
export function CataloguePage() {
  usePageMeta({ title: 'Catalogue' });
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const admin = useMay('admin');
  const sold = useQuery(soldQuery);
  const begin = useMutation({
    ...inPlace,
    mutationFn: () => beginDraft(''),
    onSuccess: async ({ id }) => {
      await queries.invalidateQueries({ queryKey: catalogueKey });
      await navigate(`/support/catalogue/${id}`);
    },
  });
  return (
    <>
      <div className="console-bar">
        <h1>Catalogue</h1>
        {admin && (
          <Button size="sm" variant="outline" pending={begin.isPending} onClick={() => begin.mutate()}>
            Begin a draft
          </Button>
        )}
      </div>
      {begin.error && (
        <p role="alert" className="console-error">
          {explain(begin.error)}
        </p>
      )}
      <p>
        One admin drafts and proposes a change, another approves it, and it takes effect at its time. Running terms keep
        their prices; a renewal costs what is sold when it is ordered.
      </p>
      <QueryStates query={sold} what="the catalogue" lines={8} />
      {sold.data && (
        <>
          <h2>Sold now: {sold.data.catalogue.version}</h2>
          <CatalogueTables of={sold.data.catalogue} />
        </>
      )}
      <Changes page={Math.max(1, Number(params.get('page')) || 1)} />
      {sold.data && <History of={sold.data.history} />}
    </>
  );
}
