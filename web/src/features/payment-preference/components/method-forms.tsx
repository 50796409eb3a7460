import { t } from '@lingui/core/macro';
import { useEffect } from 'react';
import type { DefaultValues, FieldValues } from 'react-hook-form';
import type * as z from 'zod/mini';
import { Form, SubmitButton } from '@/ui/form/form';
import { TextField } from '@/ui/form/text-field';
import { useAppForm } from '@/ui/form/use-app-form';
import type { PaymentMethod } from '@/lib/payment-method';
import { cardSchema, formatExpiry, netbankingSchema, upiSchema } from '../rules';

export interface MethodFormProps {
  /** Receives only the method; the input has been cleared by then. */
  onChosen: (method: PaymentMethod) => void;
}

const digits = (typed: string) => typed.replace(/[^\d ]/g, '');
const letters = (typed: string) => typed.replace(/\d/g, '');
const capitals = (typed: string) => typed.toUpperCase();

/** A validated form whose input is kept in memory only, and cleared on submit or leave. */
function useMethodForm<In extends FieldValues, Out>(
  schema: z.ZodMiniType<Out, In>,
  empty: DefaultValues<In>,
  onDone: () => void,
) {
  const form = useAppForm({
    schema,
    defaultValues: empty,
    onSubmit: () => {
      form.methods.reset();
      onDone();
    },
  });
  const { reset } = form.methods;
  useEffect(() => {
    const clear = () => reset();
    window.addEventListener('pagehide', clear);
    return () => window.removeEventListener('pagehide', clear);
  }, [reset]);
  return form;
}

const emptyCard = { cardno: '', expirydate: '', cvv: '', cardname: '' };

export function CardForm({ onChosen }: MethodFormProps) {
  const form = useMethodForm(cardSchema, emptyCard, () => onChosen('card'));
  return (
    <Form form={form} label={t`Card`}>
      <TextField
        name="cardno"
        label={t`Card number`}
        hint={t`16 digits, with or without spaces`}
        inputMode="numeric"
        autoComplete="cc-number"
        clean={digits}
      />
      <div className="form-row">
        <TextField
          name="expirydate"
          label={t`Expiry date`}
          hint={t`MM/YY`}
          inputMode="numeric"
          autoComplete="cc-exp"
          clean={formatExpiry}
        />
        <TextField
          name="cvv"
          label={t`CVV`}
          hint={t`3 digits on the back`}
          className="input-masked"
          inputMode="numeric"
          autoComplete="cc-csc"
          clean={digits}
        />
      </div>
      <TextField name="cardname" label={t`Name on card`} autoComplete="cc-name" clean={letters} />
      <SubmitButton size="lg">{t`Prefer card`}</SubmitButton>
    </Form>
  );
}

const emptyUpi = { upiID: '' };

export function UpiForm({ onChosen }: MethodFormProps) {
  const form = useMethodForm(upiSchema, emptyUpi, () => onChosen('upi'));
  return (
    <Form form={form} label={t`UPI`}>
      <TextField
        name="upiID"
        label={t`UPI ID`}
        hint={t`For example asha@okbank`}
        inputMode="email"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <SubmitButton size="lg">{t`Prefer UPI`}</SubmitButton>
    </Form>
  );
}

const emptyAccount = { accno: '', cnfaccno: '', ifsc: '', accname: '' };

export function NetbankingForm({ onChosen }: MethodFormProps) {
  const form = useMethodForm(netbankingSchema, emptyAccount, () => onChosen('netbanking'));
  return (
    <Form form={form} label={t`Netbanking`}>
      <TextField
        name="accno"
        label={t`Bank account number`}
        hint={t`16 digits`}
        inputMode="numeric"
        autoComplete="off"
        clean={digits}
      />
      <TextField
        name="cnfaccno"
        label={t`Re-enter account number`}
        inputMode="numeric"
        autoComplete="off"
        clean={digits}
      />
      <TextField
        name="ifsc"
        label={t`IFSC code`}
        hint={t`11 characters, for example HDFC0001234`}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        clean={capitals}
      />
      <TextField name="accname" label={t`Account name`} autoComplete="off" clean={letters} />
      <SubmitButton size="lg">{t`Prefer netbanking`}</SubmitButton>
    </Form>
  );
}
