import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useFormContext } from 'react-hook-form';
import { NativeSelectField } from '@/ui/form/native-select-field';
import { TextField } from '@/ui/form/text-field';
import { Async } from '@/ui/states';
import { newIdempotencyKey } from '@/lib/idempotency-key';
import { useDebounced } from '@/lib/use-debounced';
import { meQuery } from '../api/queries';
import { applyCredit, proformasQuery, type BankCredit, type TransferProposal } from '../api/transfers';
import { rupees } from '../customers/customer-words';
import { paiseOf } from '../money/money-form';
import { ReasonDialog } from '../shared/reason-dialog';
import { useTie } from '../staff/second-person';

export interface TransferAssignProps {
  credit: BankCredit;
  /** What was proposed; without it staff choose among the bills that are open. */
  proposal: TransferProposal | undefined;
  onClose: () => void;
}

const asTyped = (paise: number) => (paise === 0 ? '' : (paise / 100).toFixed(2));

/** A searchable list of open bills, to choose the bill that a transfer pays. */
function ChooseBill() {
  const { setValue } = useFormContext();
  const [typed, setTyped] = useState('');
  const search = useDebounced(typed.trim(), 200);
  const filter = { page: 1, ...(search && { search }) };
  const open = useQuery(proformasQuery({ ...filter, state: 'open' }));
  const expired = useQuery(proformasQuery({ ...filter, state: 'expired' }));
  const bills = [...(open.data?.data ?? []), ...(expired.data?.data ?? [])];
  const more = (open.data?.last_page ?? 1) > 1 || (expired.data?.last_page ?? 1) > 1;
  return (
    <>
      <Async query={open} what="the open bills" lines={2} />
      <TextField
        label="Find the customer’s bill"
        hint={
          <span role="status">
            {bills.length === 0 && open.data ? 'No unpaid bill has that in it.' : more && 'There are more: narrow it.'}
          </span>
        }
        type="search"
        autoComplete="off"
        maxLength={100}
        placeholder="Recipient, number or order number"
        value={typed}
        onChange={(text) => {
          setTyped(text);
          setValue('proforma_id', '');
        }}
      />
      <NativeSelectField
        name="proforma_id"
        label="Bill"
        empty="Choose a bill"
        options={bills.map((one) => [
          one.id,
          `${one.number}, ${one.customer_name || 'customer'}, ${one.rest}${one.state === 'expired' ? ', expired' : ''}`,
        ])}
      />
    </>
  );
}

/** The bill as it is chosen, and the tax as it is typed. */
interface Typed {
  proforma_id: string;
  tds_paise: string;
  tds_rate_bps: string;
  gst_tds_paise: string;
}

/** Deducted tax as typed, in paise; empty is none. */
const taxOf = (typed: string) => (typed.trim() ? paiseOf(typed) : 0);
const taxProblem = (typed: string) =>
  taxOf(typed) === undefined ? 'Write deducted tax in rupees, such as 1,500 or 1500.50.' : undefined;

const problemsOf = ({ proforma_id: bill, tds_paise: tds, gst_tds_paise: gst }: Typed) => ({
  proforma_id: bill ? undefined : 'Choose the bill.',
  tds_paise: taxProblem(tds),
  gst_tds_paise: taxProblem(gst),
});

/** Uses a transfer for a bill, with the tax that was deducted from it. */
export function TransferAssign({ credit, proposal, onClose }: TransferAssignProps) {
  const key = useRef(newIdempotencyKey());
  const values: Typed = {
    proforma_id: proposal?.proforma_id ?? '',
    tds_paise: asTyped(proposal?.tds_paise ?? 0),
    tds_rate_bps: String(proposal?.tds_rate_bps ?? 0),
    gst_tds_paise: asTyped(proposal?.gst_tds_paise ?? 0),
  };
  const me = useQuery(meQuery);
  const own = credit.entered_by !== null && credit.entered_by === me.data?.id;
  const tied = useTie(credit.entered_by) !== undefined;
  const isTaxed = ({ tds_paise: tds, gst_tds_paise: gst }: Typed) => [tds, gst].some((typed) => taxOf(typed) !== 0);
  const act = (reason: string, _: unknown, typed: Typed) =>
    applyCredit(
      credit.id,
      {
        kind: 'order',
        proforma_id: typed.proforma_id,
        tds_paise: taxOf(typed.tds_paise) ?? 0,
        tds_rate_bps: Number(typed.tds_rate_bps),
        gst_tds_paise: taxOf(typed.gst_tds_paise) ?? 0,
        reason,
      },
      key.current,
    );
  return (
    <ReasonDialog
      title={`Use ${rupees(credit.rest_paise)} for ${proposal?.number ?? 'a bill'}?`}
      effect={(typed) => (
        <p>
          {proposal && (
            <>
              The bill is of {proposal.customer_name || 'a customer without a name'}; the bank names{' '}
              {credit.payer_name || credit.narration || 'no payer'}. Anybody could have reported a number that they saw:
              use it only if both are the same.{' '}
            </>
          )}
          {own
            ? 'You entered this transfer: a colleague approves first. '
            : tied
              ? 'The colleague who entered this transfer may be the same person as you: another colleague approves first. '
              : isTaxed(typed)
                ? 'Tax was deducted: a colleague approves first. '
                : 'A colleague approves first if the transfer was another customer’s. '}
          Once the bill is paid in full, its order is activated and invoiced. Any excess stays the customer’s.
        </p>
      )}
      label={(typed) => (own || tied || isTaxed(typed) ? 'Ask for approval' : 'Use it')}
      suggestions={[
        'Confirmed by the customer',
        'The remitter’s name is the customer’s',
        'The narration names the bill',
      ]}
      reasonLast
      values={values}
      problemsOf={problemsOf}
      act={act}
      onClose={onClose}
    >
      {!proposal && <ChooseBill />}
      <TextField name="tds_paise" label="Income tax that was deducted, in rupees" inputMode="decimal" />
      <NativeSelectField
        name="tds_rate_bps"
        label="At the rate"
        options={[
          ['0', 'None'],
          ['100', '1 %'],
          ['200', '2 %'],
          ['1000', '10 %'],
        ]}
      />
      <TextField name="gst_tds_paise" label="GST that was deducted (section 51), in rupees" inputMode="decimal" />
    </ReasonDialog>
  );
}
