import { useEffect, useRef, type KeyboardEvent } from 'react';

export interface ReasonFieldProps {
  value: string;
  onChange: (reason: string) => void;
  problem?: string | undefined;
  /** Reasons offered by the arrow keys, most usual first. */
  suggestions?: string[];
  /** True if the reason is the only input of the dialog. */
  first?: boolean;
}

/** Why staff do something, for the record. */
export function ReasonField({ value, onChange, problem, suggestions = [], first }: ReasonFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  // The dialog takes the focus when it is shown, which may be after the field has mounted. What it says of the act stays in sight, also where
  // the field is below the edge of a small screen.
  useEffect(() => {
    if (!first) return undefined;
    const shown = setTimeout(() => {
      // Whoever types already stays where they are.
      if (field.current?.form?.contains(document.activeElement)) return;
      field.current?.focus({ preventScroll: true });
    });
    return () => clearTimeout(shown);
  }, [first]);
  const handleKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || suggestions.length === 0) return;
    event.preventDefault();
    field.current?.scrollIntoView({ block: 'nearest' });
    const at = suggestions.indexOf(value);
    onChange(
      suggestions[
        at < 0 ? (step > 0 ? 0 : suggestions.length - 1) : (at + step + suggestions.length) % suggestions.length
      ] ?? '',
    );
  };
  const described = [suggestions.length > 0 && 'reason-hint', problem && 'reason-problem'].filter(Boolean).join(' ');
  return (
    <>
      <label htmlFor="reason">Reason</label>
      {suggestions.length > 0 && (
        <p id="reason-hint" className="console-hint">
          For the record. <kbd>↓</kbd> offers the usual ones.
        </p>
      )}
      {problem && (
        <p id="reason-problem" role="alert" className="console-error">
          {problem}
        </p>
      )}
      <input
        id="reason"
        ref={field}
        className="input"
        maxLength={500}
        autoComplete="off"
        value={value}
        aria-invalid={problem ? true : undefined}
        aria-describedby={described || undefined}
        onKeyDown={handleKey}
        onChange={(event) => onChange(event.target.value)}
      />
      {suggestions.length > 0 && (
        <div className="reason-usual" role="group" aria-label="Suggestions">
          {suggestions.map((one) => (
            <button key={one} type="button" className="tag" aria-pressed={one === value} onClick={() => onChange(one)}>
              {one}
            </button>
          ))}
        </div>
      )}
    </>
  );
}
