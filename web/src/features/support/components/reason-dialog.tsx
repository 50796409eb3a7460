import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { Button } from '@/components/button';
import { Modal } from '@/components/modal';
import { toApiError } from '@/lib/api/errors';

export interface ReasonDialogProps<T> {
  title: string;
  /** What will happen, and whether anything could happen twice. */
  effect: string;
  label: string;
  act: (reason: string) => Promise<T>;
  onDone: (result: T) => void;
  onClose: () => void;
}

/** Asks why before anything is done; spaces are no reason. */
export function ReasonDialog<T>({ title, effect, label, act, onDone, onClose }: ReasonDialogProps<T>) {
  const [reason, setReason] = useState('');
  const [problem, setProblem] = useState('');
  const change = useMutation({ mutationFn: act, onSuccess: onDone, onError: (error) => setProblem(toApiError(error).detail || toApiError(error).message) });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (change.isPending) return;
    if (reason.trim().length < 3) setProblem('Please say why, in 3 characters or more.');
    else change.mutate(reason);
  };
  return (
    <Modal open title={title} onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <p>{effect}</p>
        <label htmlFor="reason">Reason</label>
        {/* The dialog was opened to type the reason, so that the focus belongs there. */}
        {/* eslint-disable-next-line jsx-a11y/no-autofocus */}
        <input id="reason" className="input" autoFocus maxLength={500} value={reason} aria-invalid={problem ? true : undefined} aria-describedby={problem ? 'reason-problem' : undefined} onChange={(event) => setReason(event.target.value)} />
        {problem && <p id="reason-problem" role="alert" className="console-error">{problem}</p>}
        <Button type="submit" pending={change.isPending}>{label}</Button>
      </form>
    </Modal>
  );
}
