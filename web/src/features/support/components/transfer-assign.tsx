import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { QueryStates } from '@/components/states';
import { newIdempotencyKey } from '@/lib/idempotency-key';
import { useDebounced } from '@/lib/use-debounced';
import { meQuery } from '../api/queries';
import { applyCredit, proformasQuery, type BankCredit, type TransferProposal } from '../api/transfers';
import { rupees } from './customer-words';
import { paiseOf } from './money-form';
import { ReasonDialog } from './reason-dialog';
import { useTie } from './second-person';

export interface TransferAssignProps {
  credit: BankCredit;
  /** What was proposed; without it staff choose among the bills that are open. */
  proposal: TransferProposal | undefined;
  onDone: (done: { message: string }) => void;
  onClose: () => void;
}

const asTyped = (paise: number) => (paise === 0 ? '' : (paise / 100).toFixed(2));

/** A searchable list of open bills, to choose the bill that a transfer pays. */
function ChooseBill({ value, onChange }: { value: string; onChange: (id: string) => void }) {
  const [typed, setTyped] = useState('');
  const search = useDebounced(typed.trim(), 200);
  const filter = { page: 1, ...(search && { search }) };
  const open = useQuery({ ...proformasQuery({ ...filter, state: 'open' }), placeholderData: keepPreviousData });
  const expired = useQuery({ ...proformasQuery({ ...filter, state: 'expired' }), placeholderData: keepPreviousData });
  const bills = [...(open.data?.data ?? []), ...(expired.data?.data ?? [])];
  const more = (open.data?.last_page ?? 1) > 1 || (expired.data?.last_page ?? 1) > 1;
  return (
    <>
      <QueryStates query={open} what="the open bills" lines={2} />
      <label htmlFor="assign-search">Find the customer’s bill</label>
      <input
        id="assign-search"
        type="search"
        className="input"
        autoComplete="off"
        maxLength={100}
        placeholder="Recipient, number or order number"
        aria-describedby="assign-found"
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          onChange('');
        }}
      />
      <p id="assign-found" className="console-hint" role="status">
        {bills.length === 0 && open.data ? 'No unpaid bill has that in it.' : more && 'There are more: narrow it.'}
      </p>
      <label htmlFor="assign-bill">Bill</label>
      <select id="assign-bill" className="input" value={value} onChange={(event) => onChange(event.target.value)}>
        <option value="">Choose a bill</option>
        {bills.map((one) => (
          <option key={one.id} value={one.id}>
            {one.number}, {one.customer_name || 'customer'}, {one.rest}
            {one.state === 'expired' && ', expired'}
          </option>
        ))}
      </select>
    </>
  );
}

interface TaxFieldsProps {
  tds: string;
  rate: number;
  gst: string;
  onChange: (change: { tds?: string; rate?: number; gst?: string }) => void;
}

function TaxFields({ tds, rate, gst, onChange }: TaxFieldsProps) {
  return (
    <>
      <label htmlFor="assign-tds">Income tax that was deducted, in rupees</label>
      <input
        id="assign-tds"
        className="input"
        inputMode="decimal"
        value={tds}
        onChange={(event) => onChange({ tds: event.target.value })}
      />
      <label htmlFor="assign-rate">At the rate</label>
      <select
        id="assign-rate"
        className="input"
        value={rate}
        onChange={(event) => onChange({ rate: Number(event.target.value) })}
      >
        <option value={0}>None</option>
        <option value={100}>1 %</option>
        <option value={200}>2 %</option>
        <option value={1000}>10 %</option>
      </select>
      <label htmlFor="assign-gst">GST that was deducted (section 51), in rupees</label>
      <input
        id="assign-gst"
        className="input"
        inputMode="decimal"
        value={gst}
        onChange={(event) => onChange({ gst: event.target.value })}
      />
    </>
  );
}

/** Uses a transfer for a bill, with the tax that was deducted from it. */
export function TransferAssign({ credit, proposal, onDone, onClose }: TransferAssignProps) {
  const key = useRef(newIdempotencyKey());
  const [bill, setBill] = useState(proposal?.proforma_id ?? '');
  const [tax, setTax] = useState({
    tds: asTyped(proposal?.tds_paise ?? 0),
    rate: proposal?.tds_rate_bps ?? 0,
    gst: asTyped(proposal?.gst_tds_paise ?? 0),
  });
  const me = useQuery(meQuery);
  const own = credit.entered_by !== null && credit.entered_by === me.data?.id;
  const tied = useTie(credit.entered_by) !== undefined;
  const taxed = [tax.tds, tax.gst].some((typed) => typed.trim() !== '' && paiseOf(typed) !== 0);
  const act = async (reason: string) => {
    const tds = tax.tds.trim() ? paiseOf(tax.tds) : 0;
    const gst = tax.gst.trim() ? paiseOf(tax.gst) : 0;
    if (!bill) throw new Error('Choose the bill.');
    if (tds === undefined || gst === undefined)
      throw new Error('Write deducted tax in rupees, such as 1,500 or 1500.50.');
    return applyCredit(
      credit.id,
      { kind: 'order', proforma_id: bill, tds_paise: tds, tds_rate_bps: tax.rate, gst_tds_paise: gst, reason },
      key.current,
    );
  };
  return (
    <ReasonDialog
      title={`Use ${rupees(credit.rest_paise)} for ${proposal?.number ?? 'a bill'}?`}
      effect={
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
              : taxed
                ? 'Tax was deducted: a colleague approves first. '
                : 'A colleague approves first if the transfer was another customer’s. '}
          Once the bill is paid in full, its order is activated and invoiced. Any excess stays the customer’s.
        </p>
      }
      label={own || tied || taxed ? 'Ask for approval' : 'Use it'}
      suggestions={[
        'Confirmed by the customer',
        'The remitter’s name is the customer’s',
        'The narration names the bill',
      ]}
      reasonLast
      act={act}
      onDone={onDone}
      onClose={onClose}
    >
      {!proposal && <ChooseBill value={bill} onChange={setBill} />}
      <TaxFields {...tax} onChange={(change) => setTax({ ...tax, ...change })} />
    </ReasonDialog>
  );
}
