import { formatInstant } from '@/lib/format';
import type { JobSummary } from '../api/jobs';
import { Table } from '@/ui/list/table';
import { count } from '../shared/count';

const WIDTH = 960;
const HEIGHT = 88;

export interface JobsChartProps {
  summary: JobSummary;
  onChoose: (from: string, to: string) => void;
}

/** When the jobs last failed, as bars of equal duration backed by a table; choosing a bar or a row narrows the list. */
export function JobsChart({ summary: { bars, step_seconds: step }, onChoose }: JobsChartProps) {
  const first = bars[0];
  const last = bars.at(-1);
  if (!first || !last) return null;
  const highest = Math.max(...bars.map((bar) => bar.count), 1);
  const width = WIDTH / bars.length;
  const end = (from: string) => `${new Date(Date.parse(from) + step * 1000).toISOString().slice(0, 19)}Z`;
  const choose = (from: string) => onChoose(from, end(from));
  return (
    <figure className="jobs-chart">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Failures over time, from ${formatInstant(first.from)} to ${formatInstant(end(last.from))}, at most ${highest} in a step`}
      >
        {bars.map(({ from, count: n }, index) => {
          const height = n === 0 ? 1 : Math.max((n / highest) * (HEIGHT - 4), 4);
          return (
            // The table below offers the same by keyboard.
            <g key={from} className={n > 0 ? 'bar' : 'bar-none'} onClick={n > 0 ? () => choose(from) : undefined}>
              <rect className="bar-hit" x={index * width} y={0} width={width} height={HEIGHT} />
              <rect x={index * width + width * 0.1} y={HEIGHT - height} width={width * 0.8} height={height} />
              <title>{`${formatInstant(from)}: ${count(n, 'job')}`}</title>
            </g>
          );
        })}
      </svg>
      <figcaption>
        <span>{formatInstant(first.from)}</span>
        <details>
          <summary>Failures over time as a table</summary>
          <Table
            className="console-table"
            caption="Failures over time"
            rows={bars.filter((bar) => bar.count > 0)}
            rowKey={({ from }) => from}
            columns={[
              {
                label: 'From',
                cell: ({ from }) => (
                  <button type="button" className="btn-text" onClick={() => choose(from)}>
                    {formatInstant(from)}
                  </button>
                ),
              },
              { label: 'Jobs', cell: (bar) => bar.count },
            ]}
          />
        </details>
        <span>{formatInstant(end(last.from))}</span>
      </figcaption>
    </figure>
  );
}
