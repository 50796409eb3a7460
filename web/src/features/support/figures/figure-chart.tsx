const WIDTH = 960;
const HEIGHT = 140;
const GAP = 0.2;

interface Bar {
  label: string;
  /** Undefined where there is nothing to show. */
  value: number | undefined;
}

export interface FigureChartProps {
  /** What the bars are, for the chart's name. */
  name: string;
  bars: Bar[];
  /** The value as it is read. */
  text: (value: number) => string;
}

/** Bars of one figure, from a line at zero up or down. The table after the chart has every value; a single value has no chart. */
export function FigureChart({ name, bars, text }: FigureChartProps) {
  const values = bars.flatMap(({ value }) => (value === undefined ? [] : [value]));
  const first = bars[0];
  const last = bars.at(-1);
  if (!first || !last || values.length < 2) return null;
  const top = Math.max(...values, 0);
  const bottom = Math.min(...values, 0);
  const scale = HEIGHT / (top - bottom || 1);
  const width = WIDTH / bars.length;
  return (
    <figure className="figure-chart">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${name} from ${first.label} to ${last.label}, between ${text(Math.min(...values))} and ${text(Math.max(...values))}`}
      >
        {bars.map(({ label, value }, index) =>
          value === undefined ? null : (
            <rect
              key={label}
              className={value < 0 ? 'below' : undefined}
              x={(index + GAP / 2) * width}
              y={(top - Math.max(value, 0)) * scale}
              width={width * (1 - GAP)}
              height={Math.max(Math.abs(value) * scale, 1)}
            >
              <title>{`${label}: ${text(value)}`}</title>
            </rect>
          ),
        )}
        <line x1={0} x2={WIDTH} y1={top * scale} y2={top * scale} />
      </svg>
      <figcaption aria-hidden="true">
        <span>{first.label}</span>
        <span>{`Highest: ${text(Math.max(...values))}`}</span>
        <span>{last.label}</span>
      </figcaption>
    </figure>
  );
}
