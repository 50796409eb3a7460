interface TextProps {
  id: string;
  label: string;
  hint?: string;
  problem: string | undefined;
  value: string;
  decimal?: boolean;
  maxLength?: number;
  onChange: (value: string) => void;
}

/** A field with its hint and its error. */
export function Text({ id, label, hint, problem, value, decimal, maxLength, onChange }: TextProps) {
  const described = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ');
  return (
    <>
      <label htmlFor={id}>{label}</label>
      {hint && (
        <p id={`${id}-hint`} className="console-hint">
          {hint}
        </p>
      )}
      {problem && (
        <p id={`${id}-problem`} role="alert" className="console-error">
          {problem}
        </p>
      )}
      <input
        id={id}
        className="input"
        inputMode={decimal ? 'decimal' : undefined}
        autoComplete="off"
        maxLength={maxLength}
        value={value}
        aria-invalid={problem ? true : undefined}
        aria-describedby={described || undefined}
        onChange={(event) => onChange(event.target.value)}
      />
    </>
  );
}
