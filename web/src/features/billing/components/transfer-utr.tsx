import { t } from '@lingui/core/macro';
import { useQueryClient } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { Form, SubmitButton } from '@/ui/form/form';
import { TextField } from '@/ui/form/text-field';
import { useAppForm } from '@/ui/form/use-app-form';
import { tellUtr, transferQuery, transfersKey, type Transfer } from '@/domain/payment/api/transfers';
import { toast } from '@/lib/toast';
import { asciiDigits } from '@/lib/typed';

/** 6 to 35 Latin letters and digits between signs. A letter of another script may look like a Latin one. */
const UTR = /^(?:[^\p{L}\p{N}]*[A-Za-z0-9]){6,35}[^\p{L}\p{N}]*$/u;

const schema = z.object({
  utr: z
    .string()
    .check(
      z.regex(
        UTR,
        t`A UTR has 16 characters for NEFT, 22 for RTGS, and 12 digits for IMPS and UPI. A transfer within one bank has a number of 6 to 35 letters and digits. Copy it as your bank shows it.`,
      ),
    ),
});

/** Tells the number of a transfer, by which money on the operator's own account is found. */
export function TransferUtr({ of: bill }: { of: Transfer }) {
  const client = useQueryClient();
  const form = useAppForm({
    schema,
    defaultValues: { utr: bill.told_utr },
    fromQuery: true,
    onSubmit: async ({ utr }) => {
      const { data, message } = await tellUtr(bill.id, utr);
      toast.success(message);
      form.methods.reset({ utr: data.told_utr });
      client.setQueryData(transferQuery(bill.id).queryKey, data);
      await client.invalidateQueries({ queryKey: transfersKey, exact: true });
    },
  });
  return (
    <>
      {bill.told_utr && (
        <p role="status">{t`You told us the UTR ${bill.told_utr}. We are looking for this transfer.`}</p>
      )}
      <Form form={form} label={t`UTR`}>
        <TextField
          name="utr"
          label={t`UTR of the transfer`}
          hint={t`Your bank shows it beside the transfer, for example HDFCR52026112500001.`}
          clean={(typed) => asciiDigits(typed.normalize('NFKC')).slice(0, 60)}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
        />
        <SubmitButton>{bill.told_utr ? t`Change the UTR` : t`Tell us the UTR`}</SubmitButton>
      </Form>
    </>
  );
}
