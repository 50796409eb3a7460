import { useState } from 'react';
import type { CatalogueReview } from '../api/catalogue';
import { decideChange, proposeDraft } from '../api/catalogue';
import { chosen, tomorrow } from './catalogue-words';
import { ReasonDialog } from './reason-dialog';

export type CatalogueStep = 'propose' | 'approve' | 'reject' | 'withdraw';

const words: Record<CatalogueStep, { title: string; label: string; effect: string }> = {
  propose: {
    title: 'Propose this catalogue',
    label: 'Propose',
    effect: 'Another admin has to approve it before it takes effect. It cannot be changed once proposed.',
  },
  approve: {
    title: 'Approve this catalogue',
    label: 'Approve',
    effect: 'It takes effect at its time. Running terms keep their prices until they renew.',
  },
  reject: {
    title: 'Reject this catalogue',
    label: 'Reject',
    effect: 'Nothing changes. A new draft can begin from it.',
  },
  withdraw: {
    title: 'Withdraw this change',
    label: 'Withdraw',
    effect: 'Nothing changes. A new draft can begin from it.',
  },
};

export interface CatalogueDecisionProps {
  of: CatalogueReview;
  step: CatalogueStep;
  onDone: (message: string) => void;
  onClose: () => void;
}

/** Asks why, and for a proposal from when, before the step is taken. */
export function CatalogueDecision({ of, step, onDone, onClose }: CatalogueDecisionProps) {
  const [day, setDay] = useState(tomorrow);
  const [time, setTime] = useState('00:00');
  const said = words[step];
  const act = (reason: string) =>
    step === 'propose'
      ? proposeDraft(of.id, { edit: of.edit, effective_from: chosen(day, time), reason })
      : decideChange(of.id, { decision: step, reason });
  return (
    <ReasonDialog
      title={said.title}
      label={said.label}
      effect={<p>{said.effect}</p>}
      reasonLast={step === 'propose'}
      act={(reason) => Promise.resolve().then(() => act(reason))}
      onDone={({ message }) => onDone(message)}
      onClose={onClose}
    >
      {step === 'propose' && (
        <>
          <label htmlFor="catalogue-day">Effective from</label>
          <input
            id="catalogue-day"
            className="input"
            type="date"
            required
            value={day}
            onChange={(event) => setDay(event.target.value)}
          />
          <label htmlFor="catalogue-time">Time in India</label>
          <input
            id="catalogue-time"
            className="input"
            type="time"
            value={time}
            onChange={(event) => setTime(event.target.value)}
          />
        </>
      )}
    </ReasonDialog>
  );
}
