import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { Button } from '@/components/button';
import { Modal } from '@/components/modal';
import { api, data } from '@/lib/api/client';
import { toApiError } from '@/lib/api/errors';
import { maskMobile } from '@/lib/format';
import { afterSignIn } from '@/lib/session/redirect';
import { startSession } from '@/lib/session/session';
import type { Customer } from '../api/customers';
import { askView, beginView } from '../api/help';
import { ReasonDialog } from './reason-dialog';

/** Opens the product as the customer sees it; its pages show the banner. */
async function openAccount(viewId: string, code: string): Promise<void> {
  await beginView(viewId, code);
  const { 'franchiser-user': user, redirect_to: next } = await data(api.GET('/session'));
  startSession(user);
  location.assign(afterSignIn(next, null));
}

function Consent({ customer, viewId, onClose }: { customer: Customer; viewId: string; onClose: () => void }) {
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState('');
  const begin = useMutation({ mutationFn: () => openAccount(viewId, code), onError: (error) => setProblem(toApiError(error).detail || toApiError(error).message) });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (begin.isPending) return;
    if (/^\d{6}$/.test(code)) begin.mutate();
    else setProblem('The code has six digits.');
  };
  return (
    <Modal open title="The customer’s code" onClose={onClose} closeOnBackdrop={false}>
      <form className="reason-form" onSubmit={submit} noValidate>
        <p>An SMS is on its way to {maskMobile(customer.mobile)}. Ask the customer to read the six digits out; they are the consent to look, and nothing more.</p>
        <label htmlFor="consent-code">Code</label>
        {problem && <p id="consent-problem" role="alert" className="console-error">{problem}</p>}
        {/* The dialog was opened to type the code, so that the focus belongs there. */}
        {/* eslint-disable-next-line jsx-a11y/no-autofocus */}
        <input id="consent-code" className="input" autoFocus inputMode="numeric" autoComplete="off" maxLength={7} value={code} aria-invalid={problem ? true : undefined} aria-describedby={problem ? 'consent-problem' : undefined} onChange={(event) => setCode(event.target.value.replaceAll(/\D/g, '').slice(0, 6))} />
        <Button type="submit" pending={begin.isPending}>Look at the account</Button>
      </form>
    </Modal>
  );
}

/** Looking at an account takes a reason and the customer's consent, which is a code that only the customer gets. */
export function ViewAs({ customer, onClose }: { customer: Customer; onClose: () => void }) {
  const [viewId, setViewId] = useState('');
  if (viewId) return <Consent customer={customer} viewId={viewId} onClose={onClose} />;
  return (
    <ReasonDialog title="Look at the account" effect="You see what the customer sees, for 30 minutes, and can change nothing. The customer gets a code by SMS to consent with, and sees in its security page that you looked." label="Send the code"
      suggestions={['The customer cannot find something', 'The customer sees an error']} act={(reason) => askView(customer.id, reason)} onDone={({ id }) => setViewId(id)} onClose={onClose} />
  );
}
