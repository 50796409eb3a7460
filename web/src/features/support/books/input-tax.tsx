import { useState } from 'react';
import { ChoicesField } from '@/ui/form/choices-field';
import { recordInputTax, type InputTaxState, type Trail } from '../api/help';
import { useMay } from '../api/rights';
import { rupees } from '../customers/customer-words';
import { ReasonDialog } from '../shared/reason-dialog';
import { When } from '../shared/when';
import { Offer } from '../shared/offer';

/** What the recipient of a credit note did about the invoice's input tax credit. */
export const inputTaxNames: Record<InputTaxState, string> = {
  unknown: 'Not known',
  reversed: 'Reversed',
  not_taken: 'Never taken',
  refused: 'Not reversed: refused',
};

const effects: Record<InputTaxState, string> = {
  unknown: 'Nothing is known about it any more.',
  reversed: 'The note reduces our output tax.',
  not_taken: 'The note reduces our output tax, because there was no credit to reverse.',
  refused: 'Its GST is owed again and booked as our own expense, until something else is recorded.',
};

const order: InputTaxState[] = ['reversed', 'not_taken', 'refused', 'unknown'];

interface InputTaxProps {
  note: Trail['documents'][number];
  payment: Trail['payment'];
  now: number;
}

/** The state of a note's input tax credit, its history, and for admins the way to record more. */
export function InputTax({ note, payment, now }: InputTaxProps) {
  const money = useMay('money');
  const [open, setOpen] = useState(false);
  const known = note.input_tax;
  if (!known) return null;
  const choices = order.filter((one) => one !== known.state);
  return (
    <>
      <p>
        Input tax credit: <strong>{inputTaxNames[known.state]}</strong>
      </p>
      {known.history.length > 0 && (
        <ul className="trail-list">
          {known.history.map((one) => (
            <li key={one.at}>
              {inputTaxNames[one.state]}, says {one.by} <When at={one.at} now={now} />: {one.evidence}
            </li>
          ))}
        </ul>
      )}
      {money && (
        <Offer onClick={() => setOpen(true)} of={`about ${note.number}`}>
          Record what they did
        </Offer>
      )}
      {open && (
        <ReasonDialog
          title={`What did the recipient of ${note.number} do?`}
          effect={({ state }) => (
            <p>
              {rupees(note.total_paise)} were credited, GST included. {state && effects[state]} What you write is the
              evidence; it stays, with your name.
            </p>
          )}
          label={({ state }) => (state ? `Record: ${inputTaxNames[state]}` : 'Record')}
          values={{ state: null as InputTaxState | null }}
          problemsOf={({ state }) => ({ state: state ? undefined : 'Choose what they did.' })}
          suggestions={[
            'Accepted in IMS',
            'Rejected in IMS',
            'Declaration of the recipient',
            'Certificate of their chartered accountant',
          ]}
          act={(evidence, _, { state }) =>
            recordInputTax(note.id, { customer_id: payment.customer_id, state: state!, evidence })
          }
          onClose={() => setOpen(false)}
        >
          <ChoicesField
            name="state"
            label="Input tax credit of the invoice"
            options={choices.map((one) => [one, inputTaxNames[one]])}
          />
        </ReasonDialog>
      )}
    </>
  );
}
