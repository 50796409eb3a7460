import type { KeyboardEvent } from 'react';
import { useFormContext } from 'react-hook-form';
import { TextField } from '@/ui/form/text-field';

/** Why staff do something, for the record. The suggestions are offered by the arrow keys, most usual first. */
export function ReasonField({ suggestions = [] }: { suggestions?: string[] }) {
  const { setValue, watch } = useFormContext<{ reason: string }>();
  const value = watch('reason');
  const handleKey = (event: KeyboardEvent<HTMLInputElement>) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || suggestions.length === 0) return;
    event.preventDefault();
    event.currentTarget.scrollIntoView({ block: 'nearest' });
    const at = suggestions.indexOf(value);
    const next = at < 0 && step < 0 ? suggestions.length - 1 : (at + step + suggestions.length) % suggestions.length;
    setValue('reason', suggestions[next] ?? '');
  };
  return (
    <>
      <TextField
        name="reason"
        label="Reason"
        hint={
          suggestions.length > 0 && (
            <>
              For the record. <kbd>↓</kbd> offers the usual ones.
            </>
          )
        }
        maxLength={500}
        autoComplete="off"
        onKeyDown={handleKey}
      />
      {suggestions.length > 0 && (
        <div className="reason-usual" role="group" aria-label="Suggestions">
          {suggestions.map((one) => (
            <button
              key={one}
              type="button"
              className="tag"
              aria-pressed={one === value}
              onClick={() => setValue('reason', one)}
            >
              {one}
            </button>
          ))}
        </div>
      )}
    </>
  );
}
