import { useState } from 'react';
import { ApiError } from '@/lib/api/errors';
import { newIdempotencyKey } from '@/lib/idempotency-key';
import type { Customer } from '../api/customers';
import { requestReversal } from '../api/help';
import { ReasonDialog } from './reason-dialog';

/** Whole rupees or with two digits of paise, commas allowed; empty is all that is left. Gives paise, or none for anything else. */
function paiseOf(typed: string): number | undefined {
  const amount = typed.replaceAll(/[₹,\s]/g, '');
  if (amount === '') return 0;
  const parts = /^(\d{1,9})(?:\.(\d{1,2}))?$/.exec(amount);
  return parts ? Number(parts[1]) * 100 + Number((parts[2] ?? '').padEnd(2, '0')) : undefined;
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
export function MoneyBack({ customer, payment, reference, held, onDone, onClose }: MoneyBackProps) {
  const [kind, setKind] = useState<'refund' | 'credit_note'>('refund');
  const [amount, setAmount] = useState('');
  const [utr, setUtr] = useState('');
  const [key] = useState(newIdempotencyKey);
  const wrong = paiseOf(amount) === undefined;
  const act = async (reason: string) => {
    const paise = paiseOf(amount);
    if (paise === undefined) throw new ApiError({ status: 422, message: 'Please mend the amount above.' });
    return requestReversal(
      { customer_id: customer.id, payment_id: payment, kind: held ? 'release' : kind, reason, ...(!held && { amount: paise }), ...(!held && kind === 'credit_note' && { bank_reference: utr.trim() }) },
      `${key}-${kind}-${paise}`,
    );
  };
  return (
    <ReasonDialog title={held ? `Give ${reference} back` : `Money back for ${reference}`} effect="Above the operator’s limit a second admin has to approve it. It happens once, however often this is sent." label={held ? 'Give it back' : 'Ask for it'}
      suggestions={['Bought by mistake', 'Charged twice', 'Agreed with the customer']} act={act} onDone={onDone} onClose={onClose}>
      {!held && (
        <>
          <fieldset className="money-kind">
            <legend>How</legend>
            <label><input type="radio" name="money-kind" checked={kind === 'refund'} onChange={() => setKind('refund')} /> Refund through the gateway, with its credit note</label>
            <label><input type="radio" name="money-kind" checked={kind === 'credit_note'} onChange={() => setKind('credit_note')} /> Credit note for a bank transfer that was made</label>
          </fieldset>
          <label htmlFor="money-amount">Amount in rupees, tax included</label>
          <input id="money-amount" className="input" inputMode="decimal" autoComplete="off" value={amount} aria-invalid={wrong || undefined} aria-describedby={wrong ? 'money-hint money-problem' : 'money-hint'} onChange={(event) => setAmount(event.target.value)} />
          <p id="money-hint" className="console-hint">Leave it empty for all that is left.</p>
          {wrong && <p id="money-problem" className="console-error">Write the amount in rupees, such as 1,500 or 1500.50.</p>}
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
