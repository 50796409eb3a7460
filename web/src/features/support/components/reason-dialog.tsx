import { useMutation } from '@tanstack/react-query';
import { useRef, useState, type FormEvent, type ReactNode } from 'react';
import { Button } from '@/components/button';
import { Modal } from '@/components/modal';
import { toApiError } from '@/lib/api/errors';
import { inPlace } from '../api/support';
import { reasonProblem } from './money-form';
import { ReasonField } from './reason-field';

export interface ReasonDialogProps<T> {
  title: string;
  /** What will happen, and whether anything could happen twice. */
  effect: ReactNode;
  label: string;
  /** Reasons offered by the arrow keys, most usual first. */
  suggestions?: string[];
  /** Further input besides the reason. */
  children?: ReactNode;
  act: (reason: string) => Promise<T>;
  onDone: (result: T) => void;
  onClose: () => void;
}

/** Requires a reason before acting; whitespace does not count. */
export function ReasonDialog<T>({
  title,
  effect,
  label,
  suggestions = [],
  children,
  act,
  onDone,
  onClose,
}: ReasonDialogProps<T>) {
  const [reason, setReason] = useState('');
  const [problem, setProblem] = useState('');
  // `isPending` is set only on the next render, and a second click may come first.
  const sending = useRef(false);
  const change = useMutation({
    ...inPlace,
    mutationFn: act,
    onSuccess: onDone,
    onError: (error) => setProblem(toApiError(error).detail || toApiError(error).message),
    onSettled: () => {
      sending.current = false;
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (sending.current) return;
    const missing = reasonProblem(reason);
    setProblem(missing ?? '');
    if (missing) return;
    sending.current = true;
    change.mutate(reason.trim());
  };
  return (
    <Modal open title={title} onClose={onClose} closeOnBackdrop={false}>
      <form className="reason-form" onSubmit={submit} noValidate>
        <div>{effect}</div>
        {children}
        <ReasonField value={reason} onChange={setReason} problem={problem} suggestions={suggestions} first />
        <Button type="submit" pending={change.isPending}>
          {label}
        </Button>
      </form>
    </Modal>
  );
}
