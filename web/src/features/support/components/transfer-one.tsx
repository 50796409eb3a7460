import { useState, type FormEvent } from 'react';
import { Button } from '@/components/button';
import type { NewCredit } from '../api/transfers';
import { paiseOf, utrProblem } from './money-form';

const empty = { utr: '', amount: '', day: '', payer: '' };

/** Enters one credit by hand. */
export function TransferOne({ onEnter }: { onEnter: (credit: NewCredit) => void }) {
  const [typed, setTyped] = useState(empty);
  const [problems, setProblems] = useState<string[]>([]);
  const set = (change: Partial<typeof empty>) => setTyped({ ...typed, ...change });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const amount = paiseOf(typed.amount);
    const wrong = [
      utrProblem(typed.utr),
      amount ? undefined : 'Write the amount in rupees, such as 1,500 or 1500.50.',
      typed.day ? undefined : 'Choose the day on which it came in.',
    ].filter((one) => one !== undefined);
    setProblems(wrong);
    if (wrong.length > 0 || !amount) return;
    onEnter({ utr: typed.utr, amount_paise: amount, paid_at: `${typed.day}T00:00:00+05:30`, payer_name: typed.payer });
  };
  return (
    <form className="reason-form console-narrow" aria-label="Enter one credit" onSubmit={submit} noValidate>
      <label htmlFor="one-utr">UTR</label>
      <input
        id="one-utr"
        className="input"
        autoComplete="off"
        maxLength={60}
        value={typed.utr}
        onChange={(event) => set({ utr: event.target.value })}
      />
      <label htmlFor="one-amount">Amount in rupees</label>
      <input
        id="one-amount"
        className="input"
        inputMode="decimal"
        value={typed.amount}
        onChange={(event) => set({ amount: event.target.value })}
      />
      <label htmlFor="one-day">Came in on</label>
      <input
        id="one-day"
        type="date"
        className="input"
        value={typed.day}
        onChange={(event) => set({ day: event.target.value })}
      />
      <label htmlFor="one-payer">Payer (optional)</label>
      <input
        id="one-payer"
        className="input"
        maxLength={200}
        value={typed.payer}
        onChange={(event) => set({ payer: event.target.value })}
      />
      {problems.length > 0 && (
        <div role="alert" className="console-error">
          {problems.map((one) => (
            <p key={one}>{one}</p>
          ))}
        </div>
      )}
      <Button type="submit">Enter</Button>
    </form>
  );
}
