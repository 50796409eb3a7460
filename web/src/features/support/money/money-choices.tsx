import { useFormContext } from 'react-hook-form';
import { CheckboxField } from '@/ui/form/checkbox-field';
import { ChoicesField } from '@/ui/form/choices-field';
import { TextField } from '@/ui/form/text-field';
import { formatLastDay } from '@/lib/format';
import { type Holding } from '../api/help';
import { rupees } from '../customers/customer-words';
import { paiseOf, type MoneyForm } from './money-form';

const held = { plan: 'the plan', next_term: 'the next term', add_ons: 'the add-ons' } as const;

/** Asks what happens after a full refund: the purchase ends, or continues as goodwill. */
function WhatBecomes({ holding: { what, until } }: { holding: Holding }) {
  const many = what === 'add_ons';
  const ends =
    what === 'next_term'
      ? 'It does not begin'
      : many
        ? 'They end when the money is back'
        : 'It ends when the money is back';
  const stays =
    what === 'next_term'
      ? `It begins, and goes on until ${formatLastDay(until)}`
      : `${many ? 'They go' : 'It goes'} on until ${formatLastDay(until)}, as goodwill`;
  return (
    <ChoicesField
      name="keep"
      label={`What becomes of ${held[what]}?`}
      options={[
        ['no', ends],
        ['yes', stays],
      ]}
    />
  );
}

export const UtrField = () => (
  <TextField name="bank_reference" label="UTR of the transfer" autoComplete="off" maxLength={35} />
);

interface ChoicesProps {
  form: MoneyForm;
  left: number;
  holding: Holding | null;
  /** It was paid by bank transfer: no gateway gives it back. */
  byBank: boolean;
}

/** The choices of a refund or credit note; a payment on hold has no choices. */
export function Choices({ form, left, holding, byBank }: ChoicesProps) {
  const { setValue } = useFormContext<MoneyForm>();
  const isAll = paiseOf(form.amount) === left;
  return (
    <>
      {!byBank && (
        <ChoicesField
          name="kind"
          label="How"
          options={[
            ['refund', 'Refund through the gateway, with its credit note'],
            ['credit_note', 'Credit note for a bank transfer that was made'],
          ]}
        />
      )}
      <TextField
        name="amount"
        label="Amount in rupees, tax included"
        hint={`${rupees(left)} is left of this payment.`}
        inputMode="decimal"
        autoComplete="off"
        maxLength={20}
        value={form.amount}
        onChange={(amount) => {
          setValue('amount', amount);
          setValue('confirmed', false);
        }}
      />
      {/* A full refund is confirmed twice: by the amount, and by this box. */}
      {isAll && <CheckboxField name="confirmed" label={`All that is left goes back: ${rupees(left)}`} />}
      {isAll && holding && <WhatBecomes holding={holding} />}
      {form.kind === 'credit_note' && <UtrField />}
      <TextField
        name="printed_reason"
        label="Reason printed on the credit note (optional)"
        hint="The customer reads it. Left empty, it says “Refund”."
        autoComplete="off"
        maxLength={200}
      />
    </>
  );
}
