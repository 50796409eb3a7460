import { type ReactNode } from 'react';
import { Form, SubmitButton } from '@/ui/form/form';
import { PasswordField } from '@/ui/form/password-field';
import { TextField } from '@/ui/form/text-field';
import { useConsoleForm } from '../shared/use-console-form';
import type { components } from '@/lib/api/schema.gen';
import { toast } from '@/lib/toast';

export type Proof = components['schemas']['StaffProof'];

type Secrets = Record<string, string>;

interface SecretFormProps<Values extends Secrets> {
  label: string;
  values: Values;
  send: (values: Values) => Promise<{ message: string }>;
  onDone?: () => void;
  children: ReactNode;
}

/** A form of secrets, which is emptied when they were taken. */
export function SecretForm<Values extends Secrets>({ label, values, send, onDone, children }: SecretFormProps<Values>) {
  const form = useConsoleForm<Secrets, Secrets>({
    defaultValues: values,
    onSubmit: async (typed) => {
      const { message } = await send(typed as Values);
      toast.success(message);
      form.methods.reset();
      onDone?.();
    },
  });
  return (
    <Form form={form} label={label} className="reason-form" summary={false}>
      {children}
      <SubmitButton>{label}</SubmitButton>
    </Form>
  );
}

/** The code of an authenticator app. */
export function CodeField({ name = 'code', label }: { name?: string; label: string }) {
  return <TextField name={name} label={label} inputMode="numeric" autoComplete="one-time-code" />;
}

/** The password and current authenticator code, required before a staff member makes something that outlives the session. */
export function CurrentProof() {
  return (
    <>
      <CurrentPassword />
      <CodeField name="current_code" label="Current code of your authenticator app" />
    </>
  );
}

export const withoutSpaces = (code: string) => code.replaceAll(/\s/g, '');

/** The fields of CurrentProof as the API takes them. */
export const proofOf = ({ current_password = '', current_code = '' }: Partial<Proof>): Proof => ({
  current_password,
  current_code: withoutSpaces(current_code),
});

/** The field of the current password. */
export function CurrentPassword() {
  return <PasswordField name="current_password" label="Current password" autoComplete="current-password" />;
}
