import { Form, SubmitButton } from '@/ui/form/form';
import { TextField } from '@/ui/form/text-field';
import { useAppForm } from '@/ui/form/use-app-form';
import { judged } from '@/lib/validation';
import type { NewCredit } from '../api/transfers';
import { paiseOf, utrProblem } from '../money/money-form';

const empty = { utr: '', amount: '', day: '', payer: '' };

const problemsOf = ({ utr, amount, day }: typeof empty) => ({
  utr: utrProblem(utr),
  amount: paiseOf(amount) ? undefined : 'Write the amount in rupees, such as 1,500 or 1500.50.',
  day: day ? undefined : 'Choose the day on which it came in.',
});

/** Enters one credit by hand. */
export function TransferOne({ onEnter }: { onEnter: (credit: NewCredit) => void }) {
  const form = useAppForm({
    schema: judged(problemsOf),
    defaultValues: empty,
    onSubmit: ({ utr, amount, day, payer }) =>
      onEnter({
        utr,
        amount_paise: paiseOf(amount) ?? 0,
        paid_at: `${day}T00:00:00+05:30`,
        payer_name: payer,
      }),
  });
  return (
    <Form form={form} label="Enter one credit" className="reason-form console-narrow" summary={false}>
      <TextField name="utr" label="UTR" autoComplete="off" maxLength={60} />
      <TextField name="amount" label="Amount in rupees" inputMode="decimal" />
      <TextField name="day" label="Came in on" type="date" />
      <TextField name="payer" label="Payer (optional)" maxLength={200} />
      <SubmitButton>Enter</SubmitButton>
    </Form>
  );
}
