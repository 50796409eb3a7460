import { useState, type FormEvent } from 'react';
import { Button } from '@/components/button';
import { Modal } from '@/components/modal';
import { toast } from '@/lib/toast';
import { ActDialog } from './act-dialog';
import { actWords } from './act-words';

interface Window {
  from: string;
  to: string;
  days: number;
}

/** Asks which days the outage hit and how many days to give; the next dialog shows whom that would help. */
function ChooseWindow({ onChosen, onClose }: { onChosen: (window: Window) => void; onClose: () => void }) {
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const [days, setDays] = useState(3);
  const [problem, setProblem] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!from || !to || from > to) setProblem('Choose the first and the last day on which grace ended, in that order.');
    else onChosen({ from, to, days });
  };
  return (
    <Modal open title={actWords.outage_grace.title} onClose={onClose} closeOnBackdrop={false}>
      <form className="reason-form" onSubmit={submit} noValidate>
        <p>{actWords.outage_grace.effect}</p>
        <label htmlFor="outage-from">Grace ended from</label>
        <input
          id="outage-from"
          className="input"
          type="date"
          value={from}
          aria-describedby={problem ? 'outage-problem' : undefined}
          aria-invalid={problem !== ''}
          onChange={(event) => setFrom(event.target.value)}
        />
        <label htmlFor="outage-to">To</label>
        <input
          id="outage-to"
          className="input"
          type="date"
          value={to}
          aria-describedby={problem ? 'outage-problem' : undefined}
          aria-invalid={problem !== ''}
          onChange={(event) => setTo(event.target.value)}
        />
        <label htmlFor="outage-days">Days more</label>
        <select
          id="outage-days"
          className="input"
          value={days}
          onChange={(event) => setDays(Number(event.target.value))}
        >
          {[1, 2, 3, 5, 7, 10, 14, 20].map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
        {problem && (
          <p id="outage-problem" role="alert" className="console-error">
            {problem}
          </p>
        )}
        <Button type="submit">Show whom it would help</Button>
      </form>
    </Modal>
  );
}

/** Gives more grace to everybody whose days of grace ended while something was down. */
export function OutageGrace() {
  const [chosen, setChosen] = useState<Window | 'choosing'>();
  const close = () => setChosen(undefined);
  return (
    <>
      <Button variant="outline" size="sm" onClick={() => setChosen('choosing')}>
        {actWords.outage_grace.title}
      </Button>
      {chosen === 'choosing' && <ChooseWindow onChosen={setChosen} onClose={close} />}
      {chosen && chosen !== 'choosing' && (
        <ActDialog
          content={{ kind: 'outage_grace', ...chosen }}
          who=""
          onClose={close}
          onBack={() => setChosen('choosing')}
          onDone={({ message }) => {
            close();
            toast.success(message);
          }}
        />
      )}
    </>
  );
}
