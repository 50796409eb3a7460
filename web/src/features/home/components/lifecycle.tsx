import { t } from '@lingui/core/macro';
import { Section } from '@/components/site/section';
import { lifecycle } from '@/content/home';

const CENTRE = 200;
const RADIUS = 150;

function point(index: number, radius = RADIUS): { x: number; y: number } {
  const angle = ((index * 360) / lifecycle.length - 90) * (Math.PI / 180);
  const round = (value: number) => Math.round(value * 10) / 10;
  return { x: round(CENTRE + radius * Math.cos(angle)), y: round(CENTRE + radius * Math.sin(angle)) };
}

function arc(index: number): string {
  const gap = 0.21;
  const from = point(index + gap);
  const to = point(index + 1 - gap);
  return `M${from.x} ${from.y}A${RADIUS} ${RADIUS} 0 0 1 ${to.x} ${to.y}`;
}

function Diagram() {
  return (
    <svg
      className="lifecycle-art"
      viewBox="0 0 400 400"
      role="img"
      aria-label={t`A repeating cycle: ${lifecycle.map(({ title }) => title).join(', ')}, and again.`}
    >
      <defs>
        <marker id="lifecycle-tip" viewBox="0 0 10 10" refX="6" refY="5" markerWidth="5" markerHeight="5" orient="auto">
          <path className="lifecycle-tip" d="M0 0 10 5 0 10z" />
        </marker>
      </defs>
      <circle className="lifecycle-core" cx={CENTRE} cy={CENTRE} r="84" />
      <text className="lifecycle-word" x={CENTRE} y="196" textAnchor="middle">{t`One franchise`}</text>
      <text className="lifecycle-small" x={CENTRE} y="220" textAnchor="middle">{t`then the next`}</text>
      {lifecycle.map(({ title }, index) => {
        const { x, y } = point(index);
        return (
          <g key={title}>
            <path className="lifecycle-arc" d={arc(index)} fill="none" markerEnd="url(#lifecycle-tip)" />
            <circle
              className={index === lifecycle.length - 1 ? 'lifecycle-node lifecycle-node-gold' : 'lifecycle-node'}
              cx={x}
              cy={y}
              r="28"
            />
            <text className="lifecycle-number" x={x} y={y + 7} textAnchor="middle">
              {index + 1}
            </text>
          </g>
        );
      })}
    </svg>
  );
}

/** The life cycle of a franchise as a circle, and the same in words. */
export function Lifecycle() {
  return (
    <Section
      id="lifecycle"
      tone="surface"
      title={t`The life of a franchise`}
      intro={t`Six steps, repeated with every franchise. You always know where each one stands.`}
    >
      <div className="lifecycle">
        <Diagram />
        <ol className="lifecycle-steps">
          {lifecycle.map(({ title, text }) => (
            <li key={title}>
              <h3>{title}</h3>
              <p className="text-muted">{text}</p>
            </li>
          ))}
        </ol>
      </div>
    </Section>
  );
}
