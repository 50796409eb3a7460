import { useQuery } from '@tanstack/react-query';
import { Notice } from '@/ui/notice';
import { Async } from '@/ui/states';
import { ListTable } from '@/ui/list/list-table';
import { formatDate } from '@/lib/format';
import { deferredQuery, type DeferredRevenue } from '../api/accounts';
import { monthName } from '../staff/account-words';
import { rupees } from '../customers/customer-words';

function RollForward({ months }: Pick<DeferredRevenue, 'months'>) {
  return (
    <ListTable
      wide
      caption="Deferred revenue by month"
      rows={months}
      rowKey={(one) => one.month}
      columns={[
        { label: 'Month', cell: (one) => monthName(one.month) },
        { label: 'Opening', cell: (one) => rupees(one.opening_paise), numeric: true },
        { label: 'Billed', cell: (one) => rupees(one.billed_paise), numeric: true },
        { label: 'Recognised', cell: (one) => rupees(one.recognised_paise), numeric: true },
        { label: 'Credited', cell: (one) => rupees(one.credited_paise), numeric: true },
        { label: 'Closing', cell: (one) => rupees(one.closing_paise), numeric: true },
        {
          label: 'Ledger',
          cell: (one) =>
            one.differs ? (
              <strong className="console-error">{rupees(one.ledger_paise)}, differs</strong>
            ) : (
              rupees(one.ledger_paise)
            ),
          numeric: true,
        },
      ]}
    />
  );
}

/** The months in which deferred revenue will be earned, with the balance still deferred after each. */
function Waterfall({ of }: { of: DeferredRevenue }) {
  let left = of.later_paise + of.waterfall.reduce((sum, one) => sum + one.amount_paise, 0);
  const rows = of.waterfall.map((one) => ({ ...one, left: (left -= one.amount_paise) }));
  const used = rows.filter((one, i) => one.amount_paise > 0 || (rows[i - 1]?.left ?? 1) > 0);
  return (
    <ListTable
      caption="Revenue ahead by month"
      rows={used}
      rowKey={(one) => one.month}
      columns={[
        { label: 'Month', cell: (one) => monthName(one.month) },
        { label: 'Will be recognised', cell: (one) => rupees(one.amount_paise), numeric: true },
        { label: 'Deferred after it', cell: (one) => rupees(one.left), numeric: true },
      ]}
    />
  );
}

/** The roll-forward of deferred revenue, held against the books, and the waterfall of the months ahead. */
export function DeferredRevenueSection() {
  const shown = useQuery(deferredQuery);
  return (
    <section aria-labelledby="deferred-revenue">
      <h2 id="deferred-revenue">Deferred revenue</h2>
      <Async query={shown} what="deferred revenue" lines={6} />
      {shown.data && shown.data.through === null && (
        <p>Nothing is booked yet: each day is booked in the night after it, from the first invoice on.</p>
      )}
      {shown.data?.through && (
        <>
          <p>
            Before tax, booked through {formatDate(shown.data.through)}. Opening and billed, less recognised and
            credited, is closing.
          </p>
          {shown.data.months.some((one) => one.differs) && (
            <Notice tone="danger">The schedule differs from the ledger. The books check names the rule.</Notice>
          )}
          <RollForward months={shown.data.months} />
          <h3>Months ahead</h3>
          <p>
            When what is deferred after {formatDate(shown.data.through)} will be recognised, if nothing is credited.
          </p>
          <Waterfall of={shown.data} />
        </>
      )}
    </section>
  );
}
