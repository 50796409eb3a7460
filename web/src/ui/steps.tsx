import { t } from '@lingui/core/macro';
export interface StepsProps {
  steps: readonly string[];
  now: string;
}

/** The progress through a sequence of screens. */
export function Steps({ steps, now }: StepsProps) {
  const at = steps.indexOf(now);
  return (
    <ol className="steps" aria-label={t`Steps`}>
      {steps.map((step, index) => (
        <li
          key={step}
          className={index < at ? 'step-done' : index === at ? 'step-now' : ''}
          aria-current={index === at ? 'step' : undefined}
        >
          <span>
            {step}
            {index < at && <span className="visually-hidden">{t`, done`}</span>}
          </span>
        </li>
      ))}
    </ol>
  );
}
