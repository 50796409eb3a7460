import { useQuery } from '@tanstack/react-query';
import { Notice } from '@/components/notice';
import { QueryStates } from '@/components/states';
import { formatDate } from '@/lib/format';
import { deferredQuery, type DeferredRevenue } from '../api/accounts';
import { monthName } from './account-words';
import { ConsoleTable } from './console-table';
import { rupees } from './customer-words';

const heads = ['Month', 'Opening', 'Billed', 'Recognised', 'Credited', 'Closing', 'Ledger'];

function RollForward({ months }: Pick<DeferredRevenue, 'months'>) {
  return (
    <ConsoleTable wide numbers caption="Deferred revenue by month" heads={heads}>
      {months.map((one) => (
        <tr key={one.month}>
          <th scope="row">{monthName(one.month)}</th>
          <td data-label="Opening">{rupees(one.opening_paise)}</td>
          <td data-label="Billed">{rupees(one.billed_paise)}</td>
          <td data-label="Recognised">{rupees(one.recognised_paise)}</td>
          <td data-label="Credited">{rupees(one.credited_paise)}</td>
          <td data-label="Closing">{rupees(one.closing_paise)}</td>
          <td data-label="Ledger">
            {one.differs ? (
              <strong className="console-error">{rupees(one.ledger_paise)}, differs</strong>
            ) : (
              rupees(one.ledger_paise)
            )}
          </td>
        </tr>
      ))}
    </ConsoleTable>
  );
}

/** The months in which deferred revenue will be earned, with the balance still deferred after each. */
function Waterfall({ of }: { of: DeferredRevenue }) {
  let left = of.later_paise + of.waterfall.reduce((sum, one) => sum + one.amount_paise, 0);
  const rows = of.waterfall.map((one) => ({ ...one, left: (left -= one.amount_paise) }));
  const used = rows.filter((one, i) => one.amount_paise > 0 || (rows[i - 1]?.left ?? 1) > 0);
  return (
    <ConsoleTable numbers caption="Revenue ahead by month" heads={['Month', 'Will be recognised', 'Deferred after it']}>
      {used.map((one) => (
        <tr key={one.month}>
          <th scope="row">{monthName(one.month)}</th>
          <td data-label="Will be recognised">{rupees(one.amount_paise)}</td>
          <td data-label="Deferred after it">{rupees(one.left)}</td>
        </tr>
      ))}
    </ConsoleTable>
  );
}

/** The roll-forward of deferred revenue, held against the books, and the waterfall of the months ahead. */
export function DeferredRevenueSection() {
  const shown = useQuery(deferredQuery);
  return (
    <section aria-labelledby="deferred-revenue">
      <h2 id="deferred-revenue">Deferred revenue</h2>
      <QueryStates query={shown} what="deferred revenue" lines={6} />
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
