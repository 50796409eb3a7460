import { t } from '@lingui/core/macro';
import { formatDay } from '@/lib/format';
import { Table } from '@/ui/list/table';

/** One payment in the chart. */
export interface Spending {
  id: string;
  date: string;
  amount: string;
}

const WIDTH = 600;
const HEIGHT = 120;
/** A bar is centred in its share of the width and no wider than this. */
const WIDEST = 44;
/** Number of dates that fit below the bars, even on a phone. */
const DATED = 4;

/** Converts a display amount to a number, only for drawing its bar. */
function size(amount: string): number {
  return Number(amount.replace(/[^\d.]/g, '')) || 0;
}

/** The payments as bars, oldest first, backed by a table with the same figures. */
export function SpendChart({ payments }: { payments: readonly Spending[] }) {
  const highest = Math.max(...payments.map(({ amount }) => size(amount)), 1);
  const step = WIDTH / payments.length;
  const width = Math.min(step * 0.8, WIDEST);
  const oldest = payments[0];
  const newest = payments.at(-1);
  const dated = payments.length <= DATED ? payments : [oldest, newest].filter((payment) => payment !== undefined);
  return (
    <figure className="spend-chart">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={t`Your last ${payments.length} payments, from ${formatDay(oldest?.date ?? '')} to ${formatDay(newest?.date ?? '')}`}
      >
        <line x1="0" x2={WIDTH} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} />
        {payments.map(({ id, amount, date }, index) => {
          const height = Math.max((size(amount) / highest) * (HEIGHT - 8), 3);
          return (
            <rect
              key={id}
              x={(index + 0.5) * step - width / 2}
              y={HEIGHT - height}
              width={width}
              height={height}
              rx="4"
            >
              <title>{`${formatDay(date)}: ${amount}`}</title>
            </rect>
          );
        })}
      </svg>
      <figcaption>
        <p className={payments.length <= DATED ? 'spend-dates' : 'spend-dates spend-span'} aria-hidden="true">
          {dated.map(({ id, date }) => (
            <span key={id}>{formatDay(date)}</span>
          ))}
        </p>
        <details>
          <summary>{t`Show as a table`}</summary>
          <Table
            className="price-lines"
            headless
            caption={t`Your payments`}
            rows={payments}
            rowKey={({ id }) => id}
            columns={[
              { label: t`Date`, cell: ({ date }) => formatDay(date) },
              { label: t`Amount`, cell: ({ amount }) => <span className="tabular">{amount}</span> },
            ]}
          />
        </details>
      </figcaption>
    </figure>
  );
}
