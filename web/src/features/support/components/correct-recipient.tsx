import { useState, type ComponentProps, type FormEvent } from 'react';
import { Button } from '@/components/button';
import { Modal } from '@/components/modal';
import { isGstin } from '@/lib/gstin';
import type { Customer } from '../api/customers';
import { ActDialog } from './act-dialog';
import { actWords } from './act-words';
import { customerName } from './customer-words';
import { gstStates } from './gst-states';

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

function Problem({ id, text }: { id: string; text: string | undefined }) {
  return (
    text && (
      <p id={id} role="alert" className="console-error">
        {text}
      </p>
    )
  );
}

function StateField(field: ComponentProps<'select'> & { id: string }) {
  return (
    <>
      <label htmlFor="recipient-state">State (place of supply)</label>
      <select {...field}>
        <option value="">Choose a State</option>
        {gstStates.map(([code, label]) => (
          <option key={code} value={code}>
            {label} ({code})
          </option>
        ))}
      </select>
    </>
  );
}

/** Asks for the right recipient of an invoice; the next dialog shows the credit note and the new invoice. */
export function CorrectRecipient({ customer, invoice, onDone, onClose }: CorrectRecipientProps) {
  const { name, address, state, gstin } = invoice;
  const [typed, setTyped] = useState<Recipient>({ name, address, state, gstin });
  const [problems, setProblems] = useState<Problems>({});
  const [asked, setAsked] = useState(false);
  const { title, effect } = actWords.correct_recipient;
  if (asked)
    return (
      <ActDialog
        content={{
          kind: 'correct_recipient',
          customer_id: customer.id,
          invoice_id: invoice.id,
          name: typed.name,
          address: typed.address,
          state_code: typed.state,
          gstin: typed.gstin,
        }}
        who={customerName(customer)}
        onDone={onDone}
        onClose={onClose}
        onBack={() => setAsked(false)}
      />
    );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = problemsOf(typed);
    setProblems(found);
    if (Object.keys(found).length === 0) setAsked(true);
  };
  const field = (of: keyof Recipient) => ({
    id: `recipient-${of}`,
    className: 'input',
    value: typed[of],
    'aria-invalid': Boolean(problems[of]),
    'aria-describedby': problems[of] ? `recipient-${of}-problem` : undefined,
  });
  const set = (of: keyof Recipient, value: string) => setTyped((before) => ({ ...before, [of]: value }));
  return (
    <Modal open title={`${title} of ${invoice.number}`} onClose={onClose} closeOnBackdrop={false}>
      <form className="reason-form" onSubmit={submit} noValidate>
        <p>{effect}</p>
        <label htmlFor="recipient-name">Name</label>
        <input
          {...field('name')}
          maxLength={100}
          autoComplete="off"
          onChange={(event) => set('name', event.target.value)}
        />
        <Problem id="recipient-name-problem" text={problems.name} />
        <label htmlFor="recipient-address">Address</label>
        <textarea
          {...field('address')}
          rows={4}
          maxLength={700}
          onChange={(event) => set('address', event.target.value)}
        />
        <Problem id="recipient-address-problem" text={problems.address} />
        <StateField {...field('state')} onChange={(event) => set('state', event.target.value)} />
        <Problem id="recipient-state-problem" text={problems.state} />
        <label htmlFor="recipient-gstin">GSTIN, empty for a recipient without one</label>
        <input
          {...field('gstin')}
          maxLength={15}
          autoComplete="off"
          autoCapitalize="characters"
          onChange={(event) => set('gstin', event.target.value.trim().toUpperCase())}
        />
        <Problem id="recipient-gstin-problem" text={problems.gstin} />
        <Button type="submit">Show what it would do</Button>
      </form>
    </Modal>
  );
}
