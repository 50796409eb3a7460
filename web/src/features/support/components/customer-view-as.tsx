import { useMutation } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState, type FormEvent, type ReactNode } from 'react';
import { Button } from '@/components/button';
import { Modal } from '@/components/modal';
import { api, data } from '@/lib/api/client';
import { toApiError } from '@/lib/api/errors';
import { maskMobile } from '@/lib/format';
import { afterSignIn } from '@/lib/session/redirect';
import { startSession } from '@/lib/session/session';
import type { Customer } from '../api/customers';
import { askView, beginView } from '../api/help';
import { inPlace } from '../api/support';

/** Opens the product as the customer sees it; its pages show the banner. */
async function openAccount(viewId: string, code: string): Promise<void> {
  await beginView(viewId, code);
  const { 'franchiser-user': user, redirect_to: next } = await data(api.GET('/session'));
  startSession(user);
  location.assign(afterSignIn(next, null));
}

interface StepProps {
  label: string;
  /** The field's display name. */
  field: string;
  digits?: boolean;
  check: (value: string) => string;
  act: (value: string) => Promise<void>;
  children: ReactNode;
}

/** One step of the dialog: a focused field with its error message. */
function Step({ label, field, digits = false, check, act, children }: StepProps) {
  const [value, setValue] = useState('');
  const [mistake, setMistake] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  // `isPending` is set only on the next render, and a second click may come first.
  const sending = useRef(false);
  const step = useMutation({
    ...inPlace,
    mutationFn: act,
    onSettled: () => {
      sending.current = false;
    },
  });
  // Read from the mutation's state: the message and the enabled button then appear in the same render.
  const refusal = step.error && toApiError(step.error);
  const problem = mistake || refusal?.detail || refusal?.message;
  useEffect(() => input.current?.focus(), []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (sending.current) return;
    const wrong = check(value);
    setMistake(wrong);
    if (wrong) return;
    sending.current = true;
    step.mutate(value.trim());
  };
  return (
    <form className="reason-form" onSubmit={submit} noValidate>
      {children}
      <label htmlFor={id}>{field}</label>
      {problem && (
        <p id={`${id}-problem`} role="alert" className="console-error">
          {problem}
        </p>
      )}
      <input
        ref={input}
        id={id}
        className="input"
        autoComplete="off"
        inputMode={digits ? 'numeric' : 'text'}
        maxLength={digits ? 7 : 500}
        value={value}
        aria-invalid={problem ? true : undefined}
        aria-describedby={problem ? `${id}-problem` : undefined}
        onChange={(event) =>
          setValue(digits ? event.target.value.replaceAll(/\D/g, '').slice(0, 6) : event.target.value)
        }
      />
      <Button type="submit" pending={step.isPending}>
        {label}
      </Button>
    </form>
  );
}

/** Viewing an account requires a reason and the customer's consent: a code that only the customer receives. */
export function ViewAs({ customer, onClose }: { customer: Customer; onClose: () => void }) {
  const [viewId, setViewId] = useState('');
  return (
    <Modal open title="Look at the account" onClose={onClose} closeOnBackdrop={false}>
      {viewId ? (
        <Step
          key="code"
          label="Look at the account"
          field="Code"
          digits
          check={(code) => (/^\d{6}$/.test(code) ? '' : 'The code has six digits.')}
          act={(code) => openAccount(viewId, code)}
        >
          <p>
            An SMS is on its way to {maskMobile(customer.mobile)}. Ask the customer to read the six digits out; they are
            the consent to look, and nothing more.
          </p>
        </Step>
      ) : (
        <Step
          key="reason"
          label="Send the code"
          field="Reason"
          check={(reason) => (reason.trim().length < 3 ? 'Please say why, in 3 characters or more.' : '')}
          act={async (reason) => setViewId((await askView(customer.id, reason)).id)}
        >
          <p>
            You see what the customer sees, for 30 minutes, and can change nothing. The customer gets a code by SMS to
            consent with, and sees on its security page that you looked.
          </p>
        </Step>
      )}
    </Modal>
  );
}
