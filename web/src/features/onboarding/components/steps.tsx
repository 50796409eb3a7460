const steps = ['Account', 'Address', 'Plan', 'Store'] as const;

/** How far the way from sign-up to the store has come. */
export function Steps({ now }: { now: (typeof steps)[number] }) {
  const at = steps.indexOf(now);
  return (
    <ol className="steps" aria-label="Steps">
      {steps.map((step, index) => (
        <li
          key={step}
          className={index < at ? 'step-done' : index === at ? 'step-now' : ''}
          aria-current={index === at ? 'step' : undefined}
        >
          <span>
            {step}
            {index < at && <span className="visually-hidden">, done</span>}
          </span>
        </li>
      ))}
    </ol>
  );
}
