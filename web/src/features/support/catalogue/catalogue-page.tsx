import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from 'react-router';
import { Async } from '@/ui/states';
import { usePage } from '@/ui/list/use-list-state';
import { ListPage } from '@/ui/list/list-page';
import { ListTable } from '@/ui/list/list-table';
import { PageBar } from '@/ui/list/page-bar';
import { formatDate, formatInstant } from '@/lib/format';
import { beginDraft, changesQuery, soldQuery, type Catalogue, type SoldCatalogue } from '../api/catalogue';
import { useMay } from '../api/rights';
import { changeStates, percent } from './catalogue-words';
import { rupees } from '../customers/customer-words';
import { useChange } from '../api/use-change';
import { Refusal } from '../shared/refusal';
import '../customers/support-customers.scss';
import { Offer } from '../shared/offer';

/** Every tier with its prices before tax, and the add-ons of each. */
export function CatalogueTables({ of }: { of: Catalogue }) {
  return (
    <>
      <p>
        GST: {of.gst_rates.map(({ from, rate_bps }) => `${percent(rate_bps)} from ${formatDate(from)}`).join(', ')}.
        Amounts are before tax.
      </p>
      <ListTable
        wide
        caption="Plans and prices"
        rows={of.plans.flatMap(({ plan, services }) => services.map((tier) => ({ plan, ...tier })))}
        rowKey={({ plan, tier }) => `${plan} ${tier}`}
        columns={[
          { label: 'Plan', cell: ({ plan, tier }) => `${plan} · ${tier}` },
          { label: 'Franchises', cell: (one) => one.franchise_limit.toLocaleString('en-IN'), numeric: true },
          { label: 'Month', cell: (one) => rupees(one.monthly_paise), numeric: true },
          { label: 'Year', cell: (one) => rupees(one.yearly_paise), numeric: true },
          { label: 'Discount of a year', cell: (one) => rupees(one.yearly_discount_paise), numeric: true },
          { label: 'All-in year', cell: (one) => rupees(one.all_in_yearly_paise), numeric: true },
          {
            label: 'Add-ons',
            cell: ({ add_ons: addOns }) =>
              addOns
                .map((one) =>
                  one.once_paise > 0
                    ? `${one.name} ${rupees(one.once_paise)} once`
                    : `${one.name} ${rupees(one.monthly_paise)} a month, ${rupees(one.yearly_paise)} a year`,
                )
                .join('; ') || 'None',
            long: true,
          },
        ]}
      />
    </>
  );
}

function History({ of }: { of: SoldCatalogue['history'] }) {
  return (
    <>
      <h2>History</h2>
      <ListTable
        caption="Catalogues that were sold"
        rows={of}
        rowKey={(one) => one.revision}
        columns={[
          {
            label: 'Name',
            cell: (one) =>
              one.change_id ? <Link to={`/support/catalogue/${one.change_id}`}>{one.version}</Link> : one.version,
          },
          { label: 'Sold from', cell: (one) => formatInstant(one.sold_from) },
          { label: 'Proposed by', cell: (one) => one.proposed_by_name || 'Loaded from a file' },
          { label: 'Approved by', cell: (one) => one.approved_by_name || 'Nobody' },
          { label: 'Why', cell: (one) => one.reason || 'Not said' },
        ]}
      />
    </>
  );
}

function Changes() {
  const list = useQuery(changesQuery(usePage()));
  return (
    <>
      <h2>Changes</h2>
      <ListPage
        untitled
        title="Changes"
        query={list}
        what="the changes"
        empty="There are none yet."
        rowKey={(one) => one.id}
        columns={[
          {
            label: 'Name',
            cell: (one) => <Link to={`/support/catalogue/${one.id}`}>{one.version || 'Without a name'}</Link>,
          },
          { label: 'State', cell: (one) => changeStates[one.state] },
          {
            label: 'Effective from',
            cell: (one) => (one.effective_from ? formatInstant(one.effective_from) : 'Not set'),
          },
          { label: 'Last saved by', cell: (one) => one.edited_by_name },
          { label: 'On', cell: (one) => formatInstant(one.edited_at) },
        ]}
      />
    </>
  );
}

/** What is sold, since when, and the changes that wait or were made. */
export function CataloguePage() {
  const navigate = useNavigate();
  const admin = useMay('admin');
  const sold = useQuery(soldQuery);
  const begin = useChange(() => beginDraft(''), { onSuccess: ({ id }) => navigate(`/support/catalogue/${id}`) });
  return (
    <>
      <PageBar title="Catalogue">
        {admin && (
          <Offer pending={begin.isPending} onClick={() => begin.mutate()}>
            Begin a draft
          </Offer>
        )}
      </PageBar>
      <Refusal error={begin.error} />
      <p>
        One admin drafts and proposes a change, another approves it, and it takes effect at its time. Running terms keep
        their prices; a renewal costs what is sold when it is ordered.
      </p>
      <Async query={sold} what="the catalogue" lines={8} />
      {sold.data && (
        <>
          <h2>Sold now: {sold.data.catalogue.version}</h2>
          <CatalogueTables of={sold.data.catalogue} />
        </>
      )}
      <Changes />
      {sold.data && <History of={sold.data.history} />}
    </>
  );
}
