import { NativeSelectField } from '@/ui/form/native-select-field';
import { TextAreaField } from '@/ui/form/text-area-field';
import { TextField } from '@/ui/form/text-field';
import { isGstin } from '@/lib/gstin';
import type { Customer } from '../api/customers';
import { ActFieldsDialog } from '../shared/act-dialog';
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

/** Asks for the right recipient of an invoice, and previews the credit note and the new invoice. */
export function CorrectRecipient({ customer, invoice, onClose }: CorrectRecipientProps) {
  const { name, address, state, gstin } = invoice;
  return (
    <ActFieldsDialog
      kind="correct_recipient"
      who={customerName(customer)}
      title={`${actWords.correct_recipient.title} of ${invoice.number}`}
      values={{ name, address, state, gstin }}
      problemsOf={problemsOf}
      contentOf={({ state: state_code, ...typed }) => ({
        customer_id: customer.id,
        invoice_id: invoice.id,
        ...typed,
        state_code,
      })}
      onClose={onClose}
    >
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
    </ActFieldsDialog>
  );
}
