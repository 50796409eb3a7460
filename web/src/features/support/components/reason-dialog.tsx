import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent, type KeyboardEvent, type ReactNode } from 'react';
import { Button } from '@/components/button';
import { Modal } from '@/components/modal';
import { toApiError } from '@/lib/api/errors';
import { inPlace } from '../api/support';

export interface ReasonDialogProps<T> {
  title: string;
  /** What will happen, and whether anything could happen twice. */
  effect: ReactNode;
  label: string;
  /** Reasons that the arrow keys offer, most usual first. */
  suggestions?: string[];
  /** What has to be said besides the reason. */
  children?: ReactNode;
  act: (reason: string) => Promise<T>;
  onDone: (result: T) => void;
  onClose: () => void;
}

/** Asks why before anything is done; spaces are no reason. */
export function ReasonDialog<T>({ title, effect, label, suggestions = [], children, act, onDone, onClose }: ReasonDialogProps<T>) {
  const [reason, setReason] = useState('');
  const [problem, setProblem] = useState('');
  const change = useMutation({ ...inPlace, mutationFn: act, onSuccess: onDone, onError: (error) => setProblem(toApiError(error).detail || toApiError(error).message) });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (change.isPending) return;
    if (reason.trim().length < 3) setProblem('Please say why, in 3 characters or more.');
    else change.mutate(reason.trim());
  };
  const handleKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || suggestions.length === 0) return;
    event.preventDefault();
    const at = suggestions.indexOf(reason);
    setReason(suggestions[at < 0 ? (step > 0 ? 0 : suggestions.length - 1) : (at + step + suggestions.length) % suggestions.length] ?? '');
  };
  const described = [suggestions.length > 0 && 'reason-hint', problem && 'reason-problem'].filter(Boolean).join(' ');
  return (
    <Modal open title={title} onClose={onClose}>
      <form className="reason-form" onSubmit={submit} noValidate>
        <div>{effect}</div>
        {children}
        <label htmlFor="reason">Reason</label>
        {suggestions.length > 0 && <p id="reason-hint" className="console-hint">For the record. <kbd>↓</kbd> offers the usual ones.</p>}
        {problem && <p id="reason-problem" role="alert" className="console-error">{problem}</p>}
        {/* The dialog was opened to type the reason, so that the focus belongs there. */}
        {/* eslint-disable-next-line jsx-a11y/no-autofocus */}
        <input id="reason" className="input" autoFocus maxLength={500} autoComplete="off" value={reason} aria-invalid={problem ? true : undefined} aria-describedby={described || undefined} onKeyDown={handleKey} onChange={(event) => setReason(event.target.value)} />
        {suggestions.length > 0 && (
          <div className="reason-usual" role="group" aria-label="Suggestions">
            {suggestions.map((one) => <button key={one} type="button" className="tag" aria-pressed={one === reason} onClick={() => setReason(one)}>{one}</button>)}
          </div>
        )}
        <Button type="submit" pending={change.isPending}>{label}</Button>
      </form>
    </Modal>
  );
}
