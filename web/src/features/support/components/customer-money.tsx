import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '@/lib/api/errors';
import { formatDate } from '@/lib/format';
import { newIdempotencyKey } from '@/lib/idempotency-key';
import type { Customer } from '../api/customers';
import { requestReversal, trailQuery, type Holding } from '../api/help';
import { rupees } from './customer-words';
import { ReasonDialog } from './reason-dialog';

/** Whole rupees or with two digits of paise, commas allowed; empty is all that is left. Gives paise, or none for anything else. */
function paiseOf(typed: string): number | undefined {
  const amount = typed.replaceAll(/[₹,\s]/g, '');
  if (amount === '') return 0;
  const parts = /^(\d{1,9})(?:\.(\d{1,2}))?$/.exec(amount);
  return parts ? Number(parts[1]) * 100 + Number((parts[2] ?? '').padEnd(2, '0')) : undefined;
}

const held = { plan: 'the plan', next_term: 'the next term', add_ons: 'the add-ons' } as const;

/** All of the payment goes back: what it bought ends then, or goes on as goodwill. */
function WhatBecomes({ holding: { what, until }, keep, onKeep }: { holding: Holding; keep: boolean; onKeep: (keep: boolean) => void }) {
  const many = what === 'add_ons';
  const ends = what === 'next_term' ? 'It does not begin' : many ? 'They end when the money is back' : 'It ends when the money is back';
  const stays = what === 'next_term' ? `It begins, and goes on until ${formatDate(until)}` : `${many ? 'They go' : 'It goes'} on until ${formatDate(until)}, as goodwill`;
  return (
    <fieldset className="money-kind">
      <legend>What becomes of {held[what]}?</legend>
      <label><input type="radio" name="money-plan" checked={!keep} onChange={() => onKeep(false)} /> {ends}</label>
      <label><input type="radio" name="money-plan" checked={keep} onChange={() => onKeep(true)} /> {stays}</label>
    </fieldset>
  );
}

export interface MoneyBackProps {
  customer: Customer;
  payment: string;
  /** What people call the payment. */
  reference: string;
  /** A held payment is given back as a whole. */
  held: boolean;
  onDone: (done: { message: string }) => void;
  onClose: () => void;
}

/** Asks for money to go back: through the gateway, or with a credit note for what the bank has paid back. */
export function MoneyBack({ customer, payment, reference, held: isHeld, onDone, onClose }: MoneyBackProps) {
  const [kind, setKind] = useState<'refund' | 'credit_note'>('refund');
  const [amount, setAmount] = useState('');
  const [utr, setUtr] = useState('');
  const [keep, setKeep] = useState(false);
  const [key] = useState(newIdempotencyKey);
  const trail = useQuery({ ...trailQuery(payment), enabled: !isHeld });
  const typed = paiseOf(amount);
  const wrong = typed === undefined;
  const isAll = typed === 0 || typed === trail.data?.left_paise;
  const holding = isAll ? trail.data?.holding : null;
  const act = async (reason: string) => {
    if (wrong) throw new ApiError({ status: 422, message: 'Please mend the amount above.' });
    const keeps = Boolean(holding) && keep;
    return requestReversal(
      { customer_id: customer.id, payment_id: payment, kind: isHeld ? 'release' : kind, reason, ...(!isHeld && { amount: typed, keep_plan: keeps }), ...(!isHeld && kind === 'credit_note' && { bank_reference: utr.trim() }) },
      `${key}-${kind}-${typed}-${keeps}`,
    );
  };
  return (
    <ReasonDialog title={isHeld ? `Give ${reference} back` : `Money back for ${reference}`} effect="Above the operator’s limit a second admin has to approve it. It happens once, however often this is sent." label={isHeld ? 'Give it back' : 'Ask for it'}
      suggestions={['Bought by mistake', 'Charged twice', 'Agreed with the customer']} act={act} onDone={onDone} onClose={onClose}>
      {!isHeld && (
        <>
          <fieldset className="money-kind">
            <legend>How</legend>
            <label><input type="radio" name="money-kind" checked={kind === 'refund'} onChange={() => setKind('refund')} /> Refund through the gateway, with its credit note</label>
            <label><input type="radio" name="money-kind" checked={kind === 'credit_note'} onChange={() => setKind('credit_note')} /> Credit note for a bank transfer that was made</label>
          </fieldset>
          <label htmlFor="money-amount">Amount in rupees, tax included</label>
          <input id="money-amount" className="input" inputMode="decimal" autoComplete="off" value={amount} aria-invalid={wrong || undefined} aria-describedby={wrong ? 'money-hint money-problem' : 'money-hint'} onChange={(event) => setAmount(event.target.value)} />
          <p id="money-hint" className="console-hint">Leave it empty for all that is left{trail.data && `, ${rupees(trail.data.left_paise)}`}.</p>
          {wrong && <p id="money-problem" className="console-error">Write the amount in rupees, such as 1,500 or 1500.50.</p>}
          {holding && <WhatBecomes holding={holding} keep={keep} onKeep={setKeep} />}
          {kind === 'credit_note' && (
            <>
              <label htmlFor="money-utr">UTR of the transfer</label>
              <input id="money-utr" className="input" autoComplete="off" value={utr} onChange={(event) => setUtr(event.target.value)} />
            </>
          )}
        </>
      )}
    </ReasonDialog>
  );
}
