import { t } from '@lingui/core/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import * as z from 'zod/mini';
import { toApiError } from '@/lib/api/errors';
import { newIdempotencyKey } from '@/lib/idempotency-key';
import { redirectPath, withReturn } from '@/lib/session/redirect';
import { toast } from '@/lib/toast';
import { Form, SubmitButton } from '@/ui/form/form';
import { TextField } from '@/ui/form/text-field';
import { useAppForm } from '@/ui/form/use-app-form';
import { requestTransfer, transfersKey, type TransferCharge } from './api/transfers';
import { previewQuery } from './charge';

/** The longest purchase order number that is printed. */
const PO_MAX = 40;

const schema = z.object({ po_number: z.string() });

/** Errors solved by entering the business address: it is missing, or has no name for the proforma. */
const needsAddress = new Set(['address_required', 'name_required']);

/** The page of a bill to be paid by transfer. */
export const transferPath = (id: string) => `/subscription_list/transfers/${id}`;

export interface TransferOfferProps {
  charge: TransferCharge;
  /** The total in paise that was shown. */
  expectedTotal: number;
  /** The URL that leads back here. */
  back: string;
  /** Whether the customer was warned here of a debit that the bank may still make. */
  despiteDebit: boolean;
}

/**
 * Asks for the proforma and opens its page. If the price has changed or a debit is undecided, the payment details show that first; if the
 * address is missing, its page opens.
 */
function TransferForm({ charge, expectedTotal, back, despiteDebit }: TransferOfferProps) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const key = useRef(newIdempotencyKey());
  const form = useAppForm({
    schema,
    defaultValues: { po_number: '' },
    onSubmit: async ({ po_number: poNumber }) => {
      try {
        const { data, message } = await requestTransfer(
          charge,
          expectedTotal,
          poNumber.trim(),
          key.current,
          despiteDebit,
        );
        toast.success(message);
        await client.invalidateQueries({ queryKey: transfersKey });
        void navigate(transferPath(data.id));
      } catch (error) {
        const failure = toApiError(error);
        key.current = newIdempotencyKey();
        const path = needsAddress.has(failure.code) && redirectPath(failure.redirectTo || '/store-details/address');
        if (!path) {
          if (failure.code === 'price_changed' || failure.code === 'debit_undecided')
            await client.invalidateQueries({ queryKey: previewQuery(charge).queryKey });
          throw error;
        }
        toast[failure.kind](failure.message);
        void navigate(withReturn(path, back), { state: { objections: failure.fields } });
      }
    },
  });
  return (
    <Form form={form} label={t`Pay by bank transfer`}>
      <p className="text-muted text-sm">
        {t`You get a proforma with the account to transfer to, valid for 15 days. We activate your order when the money arrives, and issue the tax invoice then.`}{' '}
        {t`The price of an upgrade is held for the same time and calculated from the day of the proforma.`}
      </p>
      <TextField
        name="po_number"
        label={t`Your purchase order number`}
        optional
        hint={t`Printed on the proforma.`}
        clean={(typed) => typed.slice(0, PO_MAX)}
        autoComplete="off"
      />
      <SubmitButton variant="outline" block>
        {despiteDebit ? t`Get the bank details anyway` : t`Get the bank details`}
      </SubmitButton>
    </Form>
  );
}

/** Offers to pay a charge by bank transfer: collects the customer's order number, then opens a page with the bank details. */
export function TransferOffer(props: TransferOfferProps) {
  const [open, setOpen] = useState(false);
  return (
    <div className="stack-sm">
      <p className="text-sm">
        <button type="button" className="btn-text" aria-expanded={open} onClick={() => setOpen(!open)}>
          {t`Pay by bank transfer (NEFT, RTGS or IMPS)`}
        </button>
      </p>
      {open && <TransferForm {...props} />}
    </div>
  );
}
