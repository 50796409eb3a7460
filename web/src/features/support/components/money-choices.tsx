import { formatLastDay } from '@/lib/format';
import { type Holding } from '../api/help';
import { rupees } from './customer-words';
import { paiseOf, type MoneyForm, type MoneyProblems } from './money-form';
import { Text } from './money-text';

const held = { plan: 'the plan', next_term: 'the next term', add_ons: 'the add-ons' } as const;

/** Asks what happens after a full refund: the purchase ends, or continues as goodwill. */
function WhatBecomes({
  holding: { what, until },
  keep,
  onKeep,
}: {
  holding: Holding;
  keep: boolean;
  onKeep: (keep: boolean) => void;
}) {
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
    <fieldset className="money-kind">
      <legend>What becomes of {held[what]}?</legend>
      <label>
        <input type="radio" name="money-plan" checked={!keep} onChange={() => onKeep(false)} /> {ends}
      </label>
      <label>
        <input type="radio" name="money-plan" checked={keep} onChange={() => onKeep(true)} /> {stays}
      </label>
    </fieldset>
  );
}

type OnChange = (part: Partial<MoneyForm>) => void;

function HowChoice({ kind, onChange }: { kind: MoneyForm['kind']; onChange: OnChange }) {
  return (
    <fieldset className="money-kind">
      <legend>How</legend>
      <label>
        <input
          type="radio"
          name="money-kind"
          checked={kind === 'refund'}
          onChange={() => onChange({ kind: 'refund' })}
        />{' '}
        Refund through the gateway, with its credit note
      </label>
      <label>
        <input
          type="radio"
          name="money-kind"
          checked={kind === 'credit_note'}
          onChange={() => onChange({ kind: 'credit_note' })}
        />{' '}
        Credit note for a bank transfer that was made
      </label>
    </fieldset>
  );
}

interface AllGoesBackProps {
  left: number;
  confirmed: boolean;
  problem: string | undefined;
  onChange: OnChange;
}

/** A full refund is confirmed twice: by the amount, and by this box. */
function AllGoesBack({ left, confirmed, problem, onChange }: AllGoesBackProps) {
  return (
    <>
      {problem && (
        <p id="money-all-problem" role="alert" className="console-error">
          {problem}
        </p>
      )}
      <label className="money-all">
        <input
          id="money-all"
          type="checkbox"
          checked={confirmed}
          aria-invalid={problem ? true : undefined}
          aria-describedby={problem ? 'money-all-problem' : undefined}
          onChange={(event) => onChange({ confirmed: event.target.checked })}
        />{' '}
        All that is left goes back: {rupees(left)}
      </label>
    </>
  );
}

/** The choices of a refund or credit note; a payment on hold has no choices. */
export function Choices({
  form,
  problems,
  left,
  holding,
  byBank,
  onChange,
}: {
  form: MoneyForm;
  problems: MoneyProblems;
  left: number;
  holding: Holding | null;
  /** It was paid by bank transfer: no gateway gives it back. */
  byBank: boolean;
  onChange: OnChange;
}) {
  const isAll = paiseOf(form.amount) === left;
  return (
    <>
      {!byBank && <HowChoice kind={form.kind} onChange={onChange} />}
      <Text
        id="money-amount"
        label="Amount in rupees, tax included"
        hint={`${rupees(left)} is left of this payment.`}
        problem={problems.amount}
        value={form.amount}
        decimal
        maxLength={20}
        onChange={(amount) => onChange({ amount, confirmed: false })}
      />
      {isAll && <AllGoesBack left={left} confirmed={form.confirmed} problem={problems.confirmed} onChange={onChange} />}
      {isAll && holding && <WhatBecomes holding={holding} keep={form.keep} onKeep={(keep) => onChange({ keep })} />}
      {form.kind === 'credit_note' && (
        <Text
          id="money-utr"
          label="UTR of the transfer"
          problem={problems.utr}
          value={form.utr}
          maxLength={35}
          onChange={(utr) => onChange({ utr })}
        />
      )}
      <Text
        id="money-printed"
        label="Reason printed on the credit note (optional)"
        hint="The customer reads it. Left empty, it says “Refund”."
        problem={problems.printed}
        value={form.printed}
        maxLength={200}
        onChange={(printed) => onChange({ printed })}
      />
    </>
  );
}
