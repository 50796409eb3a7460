import { t } from '@lingui/core/macro';
import { plans } from '@/content/catalogue';

const STEP = 20;
const GAP = 72;

interface Panel {
  tier: string;
  franchises: number;
  columns: number;
  x: number;
}

/** The tiers side by side, each just wide enough for its dots in at most nine rows. */
function panels(): { list: Panel[]; width: number } {
  let x = 0;
  const list = (plans[0]?.services ?? []).map(({ tier, franchises }) => {
    const columns = Math.ceil(franchises / 9);
    const panel = { tier, franchises, columns, x };
    x += columns * STEP + GAP;
    return panel;
  });
  return { list, width: x - GAP };
}

const HEIGHT = 300;
const FLOOR = 210;

/** The three sizes of a plan to scale, with one dot per franchise. */
export function TierArt() {
  const { list, width } = panels();
  const sizes = list.map(({ tier, franchises }) => t`${tier} ${franchises} franchises`).join(', ');
  return (
    <svg
      className="tier-art"
      viewBox={`-20 0 ${width + 40} ${HEIGHT}`}
      role="img"
      aria-label={t`A plan’s sizes to scale: ${sizes}.`}
    >
      {list.map(({ tier, franchises, columns, x }) => (
        <g key={tier} transform={`translate(${x} 0)`}>
          {Array.from({ length: franchises }, (_, index) => (
            <circle
              key={index}
              className={index === 0 ? 'tier-dot tier-dot-first' : 'tier-dot'}
              cx={(index % columns) * STEP + STEP / 2}
              cy={FLOOR - Math.floor(index / columns) * STEP - STEP / 2}
              r="6.5"
            />
          ))}
          <text className="tier-count" x="0" y={FLOOR + 40}>
            {franchises}
          </text>
          <text className="tier-name" x="0" y={FLOOR + 66}>
            {tier}
          </text>
        </g>
      ))}
    </svg>
  );
}
