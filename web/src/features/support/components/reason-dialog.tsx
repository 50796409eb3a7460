import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState, type FormEvent, type ReactNode } from 'react';
import { Button } from '@/components/button';
import { Modal } from '@/components/modal';
import { explain, toApiError } from '@/lib/api/errors';
import { inPlace } from '../api/support';
import { reasonProblem } from './money-form';
import { ReasonField } from './reason-field';
import { CurrentProof, proofOf, typedIn, type Proof } from './secret-form';

export interface ReasonDialogProps<T> {
  title: string;
  /** What will happen, and whether anything could happen twice. */
  effect: ReactNode;
  label: string;
  /** Reasons offered by the arrow keys, most usual first. */
  suggestions?: string[];
  /** Further input besides the reason. */
  children?: ReactNode;
  /** True if the extra input is the main one: it then comes before the reason. */
  reasonLast?: boolean;
  /** True if password and authenticator code are needed, because the result outlives the session. */
  proved?: boolean;
  act: (reason: string, proof: Proof) => Promise<T>;
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
  reasonLast = false,
  proved = false,
  act,
  onDone,
  onClose,
}: ReasonDialogProps<T>) {
  const [reason, setReason] = useState('');
  const [problem, setProblem] = useState('');
  const [refused, setRefused] = useState<string[]>([]);
  // `isPending` is set only on the next render, and a second click may come first.
  const sending = useRef(false);
  const form = useRef<HTMLFormElement>(null);
  // The dialog takes the focus when it is shown, which may be after its fields have mounted.
  useEffect(() => {
    if (!reasonLast) return undefined;
    const shown = setTimeout(() => {
      // Whoever types already stays where they are.
      if (form.current?.contains(document.activeElement)) return;
      form.current?.querySelector('input')?.focus({ preventScroll: true });
    });
    return () => clearTimeout(shown);
  }, [reasonLast]);
  const change = useMutation({
    ...inPlace,
    mutationFn: ({ why, proof }: { why: string; proof: Proof }) => act(why, proof),
    onSuccess: onDone,
    onError: (error) => {
      const { reason: ofReason, ...others } = toApiError(error).fields;
      setProblem(ofReason?.join(' ') ?? '');
      // Of other fields each message says which it is about.
      const messages = Object.values(others).flat();
      setRefused(messages.length > 0 ? messages : ofReason ? [] : [explain(error)]);
    },
    onSettled: () => {
      sending.current = false;
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (sending.current) return;
    const missing = reasonProblem(reason);
    setProblem(missing ?? '');
    setRefused([]);
    if (missing) return;
    sending.current = true;
    change.mutate({ why: reason.trim(), proof: proofOf(typedIn(event.currentTarget)) });
  };
  return (
    <Modal open title={title} onClose={onClose} closeOnBackdrop={false}>
      <form ref={form} className="reason-form" onSubmit={submit} noValidate>
        <div>{effect}</div>
        {children}
        <ReasonField
          value={reason}
          onChange={setReason}
          problem={problem}
          suggestions={suggestions}
          first={!reasonLast}
        />
        {proved && <CurrentProof id="reason-proof" />}
        {refused.length > 0 && (
          <div role="alert" className="console-error">
            {refused.map((message) => (
              <p key={message}>{message}</p>
            ))}
          </div>
        )}
        <Button type="submit" pending={change.isPending}>
          {label}
        </Button>
      </form>
    </Modal>
  );
}
