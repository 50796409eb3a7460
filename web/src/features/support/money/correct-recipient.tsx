import { useState } from 'react';
import { Form, SubmitButton } from '@/ui/form/form';
import { NativeSelectField } from '@/ui/form/native-select-field';
import { TextAreaField } from '@/ui/form/text-area-field';
import { TextField } from '@/ui/form/text-field';
import { useAppForm } from '@/ui/form/use-app-form';
import { Modal } from '@/ui/modal';
import { isGstin } from '@/lib/gstin';
import { judged } from '@/lib/validation';
import type { Customer } from '../api/customers';
import { ActDialog } from '../shared/act-dialog';
import { actWords } from '../staff/act-words';
import { customerName } from '../customers/customer-words';
import { gstStates } from '../books/gst-states';

/** An invoice, and whom it names now. */
export interface BilledInvoice {
  id: string;
  number: string;
  name: string;
  address: string;
  state: string;
  gstin: string;
}

export interface CorrectRecipientProps {
  customer: Customer;
  invoice: BilledInvoice;
  onDone: (done: { message: string }) => void;
  onClose: () => void;
}

type Recipient = Pick<BilledInvoice, 'name' | 'address' | 'state' | 'gstin'>;
type Problems = Partial<Record<keyof Recipient, string>>;

function problemsOf({ name, address, state, gstin }: Recipient): Problems {
  const problems: Problems = {};
  if (name.trim().length < 2) problems.name = 'Write the name that the invoice is for.';
  if (!address.trim()) problems.address = 'Write the address, one to six lines.';
  else if (gstin && !/\b[1-9]\d{2} ?\d{3}\b/.test(address))
    problems.address = 'Write the PIN code, too: with a GSTIN the address has one.';
  if (!state) problems.state = 'Choose a State.';
  if (gstin && !isGstin(gstin)) problems.gstin = 'This is not a valid GSTIN. Check it character by character.';
  else if (gstin && !gstin.startsWith(state)) problems.gstin = 'This GSTIN belongs to another State.';
  return problems;
}

/** Asks for the right recipient of an invoice; the next dialog shows the credit note and the new invoice. */
export function CorrectRecipient({ customer, invoice, onDone, onClose }: CorrectRecipientProps) {
  const { name, address, state, gstin } = invoice;
  const [asked, setAsked] = useState<Recipient>();
  const form = useAppForm({
    schema: judged(problemsOf),
    defaultValues: { name, address, state, gstin },
    onSubmit: setAsked,
  });
  const { title, effect } = actWords.correct_recipient;
  if (asked)
    return (
      <ActDialog
        content={{
          kind: 'correct_recipient',
          customer_id: customer.id,
          invoice_id: invoice.id,
          name: asked.name,
          address: asked.address,
          state_code: asked.state,
          gstin: asked.gstin,
        }}
        who={customerName(customer)}
        onDone={onDone}
        onClose={onClose}
        onBack={() => setAsked(undefined)}
      />
    );
  return (
    <Modal open title={`${title} of ${invoice.number}`} onClose={onClose} closeOnBackdrop={false}>
      <Form form={form} className="reason-form" summary={false}>
        <p>{effect}</p>
        <TextField name="name" label="Name" maxLength={100} autoComplete="off" />
        <TextAreaField name="address" label="Address" rows={4} maxLength={700} />
        <NativeSelectField
          name="state"
          label="State (place of supply)"
          empty="Choose a State"
          options={gstStates.map(([code, label]) => [code, `${label} (${code})`])}
        />
        <TextField
          name="gstin"
          label="GSTIN, empty for a recipient without one"
          maxLength={15}
          autoComplete="off"
          autoCapitalize="characters"
          clean={(typed) => typed.trim().toUpperCase()}
        />
        <SubmitButton>Show what it would do</SubmitButton>
      </Form>
    </Modal>
  );
}
