import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode } from 'react';
import { Button } from '@/components/button';
import { explain, toApiError } from '@/lib/api/errors';
import type { components } from '@/lib/api/schema.gen';
import { toast } from '@/lib/toast';
import { inPlace } from '../api/support';

export type Proof = components['schemas']['StaffProof'];

/** What a failed form says: each field's message, or why nothing came of it. */
export function Refusal({ error }: { error: unknown }) {
  if (!error) return null;
  const said = Object.values(toApiError(error).fields).flat();
  return (
    <div role="alert" className="console-error">
      {(said.length > 0 ? said : [explain(error)]).map((one) => (
        <p key={one}>{one}</p>
      ))}
    </div>
  );
}

interface SecretFormProps {
  label: string;
  send: (word: (name: string) => string) => Promise<{ message: string }>;
  onDone?: () => void;
  children: ReactNode;
}

/** What is entered in the form's field of a name. */
export function typedIn(form: HTMLFormElement) {
  const typed = new FormData(form);
  return (name: string) => String(typed.get(name) ?? '');
}

/** A form of secrets, which is emptied when they were taken. */
export function SecretForm({ label, send, onDone, children }: SecretFormProps) {
  const act = useMutation({
    ...inPlace,
    mutationFn: (form: HTMLFormElement) => send(typedIn(form)),
    onSuccess: ({ message }, form) => {
      toast.success(message);
      form.reset();
      onDone?.();
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!act.isPending) act.mutate(event.currentTarget);
  };
  return (
    <form className="reason-form" aria-label={label} onSubmit={submit} noValidate>
      {children}
      <Refusal error={act.error} />
      <Button type="submit" pending={act.isPending}>
        {label}
      </Button>
    </form>
  );
}

/** The password and current authenticator code, required before a staff member makes something that outlives the session. */
export function CurrentProof({ id }: { id: string }) {
  return (
    <>
      <CurrentPassword id={`${id}-password`} />
      <label htmlFor={`${id}-code`}>Current code of your authenticator app</label>
      <input id={`${id}-code`} className="input" name="current-code" inputMode="numeric" autoComplete="one-time-code" />
    </>
  );
}

/** The fields of CurrentProof as the API takes them. */
export const proofOf = (word: (name: string) => string): Proof => ({
  current_password: word('current'),
  current_code: word('current-code').replaceAll(/\s/g, ''),
});

/** The field of the current password. */
export function CurrentPassword({ id }: { id: string }) {
  return (
    <>
      <label htmlFor={id}>Current password</label>
      <input id={id} className="input" name="current" type="password" autoComplete="current-password" />
    </>
  );
}
