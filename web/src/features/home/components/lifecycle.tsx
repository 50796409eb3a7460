import { t } from '@lingui/core/macro';
import { Section } from '@/ui/site/section';
import { lifecycle } from '@/content/home';
import { lifecycleIcons } from './icons';

/** The way of the arrowhead that follows each step on wide screens, where the loop runs clockwise. */
const heads = ['right', 'right', 'down', 'left', 'left', 'up'] as const;

/** The life of a franchise, drawn as a loop with six stations; on narrow screens the loop stands upright. */
export function Lifecycle() {
  return (
    <Section id="lifecycle" tone="surface" start title={t`The life of a franchise`}>
      <div className="lifecycle">
        <svg className="lifecycle-track" aria-hidden="true" focusable="false">
          <rect width="100%" height="100%" />
        </svg>
        <ol className="lifecycle-steps">
          {lifecycle.map(({ icon, title, text }, index) => {
            const Icon = lifecycleIcons[icon];
            return (
              <li key={title}>
                <span className="lifecycle-station">
                  <Icon />
                </span>
                <div>
                  <h3>{title}</h3>
                  <p className="text-muted">{text}</p>
                </div>
                <svg
                  className={`lifecycle-head lifecycle-head-${heads[index]}`}
                  viewBox="0 0 16 16"
                  aria-hidden="true"
                  focusable="false"
                >
                  <path className="lifecycle-across" d="M8 2.3 13.7 8 8 13.7" />
                  <path className="lifecycle-along" d="M13.7 8 8 13.7 2.3 8" />
                </svg>
              </li>
            );
          })}
        </ol>
        <p className="lifecycle-word">{t`Then the next franchise begins.`}</p>
      </div>
    </Section>
  );
}
