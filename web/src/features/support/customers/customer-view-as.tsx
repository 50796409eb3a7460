import { useEffect, useState } from 'react';
import { Form, SubmitButton } from '@/ui/form/form';
import { TextField } from '@/ui/form/text-field';
import { useConsoleForm } from '../shared/use-console-form';
import { Modal } from '@/ui/modal';
import { api, data } from '@/lib/api/client';
import { maskMobile } from '@/lib/format';
import { afterSignIn } from '@/lib/session/redirect';
import { startSession } from '@/lib/session/session';
import { judged } from '@/lib/validation';
import type { Customer } from '../api/customers';
import { askView, beginView } from '../api/help';
import { ReasonDialog } from '../shared/reason-dialog';

/** Opens the product as the customer sees it; its pages show the banner. */
async function openAccount(viewId: string, code: string): Promise<void> {
  await beginView(viewId, code);
  const { 'franchiser-user': user, redirect_to: next } = await data(api.GET('/session'));
  startSession(user);
  location.assign(afterSignIn(next, null));
}

/** Asks for the code by which the customer consents. */
function Consent({ customer, viewId }: { customer: Customer; viewId: string }) {
  const form = useConsoleForm({
    schema: judged<{ code: string }>(({ code }) => ({
      code: /^\d{6}$/.test(code) ? undefined : 'The code has six digits.',
    })),
    defaultValues: { code: '' },
    onSubmit: ({ code }) => openAccount(viewId, code),
  });
  const { setFocus } = form.methods;
  useEffect(() => setFocus('code'), [setFocus]);
  return (
    <Form form={form} className="reason-form" summary={false}>
      <p>
        An SMS is on its way to {maskMobile(customer.mobile)}. Ask the customer to read the six digits out; they are the
        consent to look, and nothing more.
      </p>
      <TextField
        name="code"
        label="Code"
        autoComplete="off"
        inputMode="numeric"
        maxLength={7}
        clean={(typed) => typed.replaceAll(/\D/g, '').slice(0, 6)}
      />
      <SubmitButton>Look at the account</SubmitButton>
    </Form>
  );
}

/** Viewing an account requires a reason and the customer's consent: a code that only the customer receives. */
export function ViewAs({ customer, onClose }: { customer: Customer; onClose: () => void }) {
  const [viewId, setViewId] = useState('');
  if (viewId) {
    return (
      <Modal open title="Look at the account" onClose={onClose} closeOnBackdrop={false}>
        <Consent customer={customer} viewId={viewId} />
      </Modal>
    );
  }
  return (
    <ReasonDialog
      title="Look at the account"
      effect={
        <p>
          You see what the customer sees, for 30 minutes, and can change nothing. The customer gets a code by SMS to
          consent with, and sees on its security page that you looked.
        </p>
      }
      label="Send the code"
      suggestions={['The customer asked for help on the phone', 'The customer cannot find a setting']}
      act={(reason) => askView(customer.id, reason)}
      onDone={({ id }) => setViewId(id)}
      onClose={onClose}
    />
  );
}
