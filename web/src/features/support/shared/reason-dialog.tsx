import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, type ReactNode } from 'react';
import { useLocation } from 'react-router';
import type { ApiError } from '@/lib/api/errors';
import { forgetDraft } from '@/ui/form/draft';
import { Form, SubmitButton } from '@/ui/form/form';
import { useConsoleForm } from './use-console-form';
import { Modal } from '@/ui/modal';
import { Async, type AsyncProps } from '@/ui/states';
import { toast } from '@/lib/toast';
import { judged } from '@/lib/validation';
import { meQuery } from '../api/queries';
import { reasonProblem } from '../money/money-form';
import { ReasonField } from './reason-field';
import { CurrentProof, proofOf, type Proof } from '../staff/secret-form';

/** A part of the dialog, which may depend on what the further fields hold. */
type Part<Values, Of> = Of | ((values: Values) => Of);

export interface ReasonFormProps<T, Values> {
  /** What will happen, and whether anything could happen twice. */
  effect: Part<Values, ReactNode>;
  /** The query of what will happen. Until it is loaded, the reason can be typed and not sent. */
  preview?: AsyncProps<unknown>['query'];
  /** What to show where the act would be refused. */
  explained?: (error: ApiError) => ReactNode;
  label: Part<Values, string>;
  /** Reasons offered by the arrow keys, most usual first. */
  suggestions?: string[];
  /** The first values of the further fields. */
  values?: Values;
  /** What is wrong with the further fields. */
  problemsOf?: (values: Values) => Partial<Record<keyof Values, string | undefined>>;
  /** Further fields besides the reason. */
  children?: Part<Values, ReactNode>;
  /** True if the extra input is the main one: it then comes before the reason. */
  reasonLast?: boolean;
  /** True if password and authenticator code are needed, because the result outlives the session. */
  proved?: boolean;
  act: (reason: string, proof: Proof, values: Values) => Promise<T>;
  /** Called with the result; without it the dialog closes, and a toast shows what was done. */
  onDone?: ((result: T) => void) | undefined;
  /** What was done, if it is not the server's message. */
  said?: string;
  /** The key under which the reason is kept until it is sent; the further fields are not kept. */
  draftKey?: string | undefined;
  onClose: () => void;
}

/** Keeps the reason of a dialog over the end of the session. The dialog's `close` discards it. */
export function useReasonDraft(title: string, onClose: () => void) {
  const { pathname } = useLocation();
  const { data: me } = useQuery({ ...meQuery, enabled: false });
  // Another staff member who signs in here is not shown the reason.
  const draftKey = me && `reason-${me.id}-${pathname}-${title}`;
  const close = () => {
    if (draftKey) forgetDraft(draftKey);
    onClose();
  };
  return { draftKey, close };
}

const messageOf = (result: unknown) => (result as { message?: string } | null | undefined)?.message ?? '';

type Typed = Partial<Proof> & { reason: string };

/** Requires a reason before acting; whitespace does not count. */
export function ReasonForm<T, Values extends object = object>({
  effect,
  preview,
  explained,
  label,
  suggestions,
  values,
  problemsOf,
  children,
  reasonLast = false,
  proved = false,
  act,
  onDone,
  said,
  draftKey,
  onClose,
}: ReasonFormProps<T, Values>) {
  const done = useRef('');
  const first = { ...values, ...(proved && proofOf({})) };
  const form = useConsoleForm({
    schema: judged<Typed>((typed) => ({ ...problemsOf?.(typed as Values), reason: reasonProblem(typed.reason) })),
    defaultValues: { ...first, reason: '' },
    ...(draftKey && { draft: { key: draftKey, omit: Object.keys(first) as (keyof Typed)[] } }),
    onSubmit: async ({ reason, ...typed }) => {
      // A second click may come before the dialog is closed.
      const what = JSON.stringify([reason, typed]);
      if (done.current === what) return;
      const result = await act(reason.trim(), proofOf(typed), typed as Values);
      done.current = what;
      if (onDone) return onDone(result);
      onClose();
      toast.success(said ?? messageOf(result));
    },
  });
  const shown = form.methods.watch() as Values;
  const of = <Of,>(part: Part<Values, Of>) => (part instanceof Function ? part(shown) : part);
  const waits = preview !== undefined && preview.data === undefined;
  const failed = waits && Boolean(preview.error);
  // The dialog takes the focus when it is shown, which may be after its fields have mounted. What it says of the act stays in sight, also
  // where the field is below the edge of a small screen.
  useEffect(() => {
    const timer = setTimeout(() => {
      // Whoever types already stays where they are.
      const box = document.getElementById(form.id);
      if (box?.contains(document.activeElement)) return;
      const target = reasonLast ? 'input' : 'input[name=reason]';
      box?.querySelector<HTMLInputElement>(target)?.focus({ preventScroll: true });
    });
    return () => clearTimeout(timer);
  }, [form.id, reasonLast]);
  // The field that had the focus is gone.
  useEffect(() => {
    if (failed) document.getElementById(form.id)?.closest<HTMLElement>('[role=dialog]')?.focus();
  }, [form.id, failed]);
  return (
    <Form form={form} className="reason-form" summary={false}>
      {waits ? <Async query={preview} what="what it would do" explained={explained} /> : <div>{of(effect)}</div>}
      {!failed && (
        <>
          {of(children)}
          <ReasonField suggestions={suggestions} />
          {proved && <CurrentProof />}
          <SubmitButton pending={waits}>{of(label)}</SubmitButton>
        </>
      )}
    </Form>
  );
}

export interface ReasonDialogProps<T, Values> extends ReasonFormProps<T, Values> {
  title: string;
}

/** A dialog that requires a reason before acting. */
export function ReasonDialog<T, Values extends object = object>({ title, ...form }: ReasonDialogProps<T, Values>) {
  const { draftKey, close } = useReasonDraft(title, form.onClose);
  return (
    <Modal open title={title} onClose={close} closeOnBackdrop={false}>
      <ReasonForm {...form} draftKey={draftKey} />
    </Modal>
  );
}
