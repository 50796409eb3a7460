import { useState } from 'react';
import { TextField } from '@/ui/form/text-field';
import type { CatalogueReview } from '../api/catalogue';
import { decideChange, proposeDraft } from '../api/catalogue';
import { instantOf, needsDay, tomorrow } from './catalogue-words';
import { ReasonDialog } from '../shared/reason-dialog';

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
  onClose: () => void;
}

/** Asks why, and for a proposal from when, before the step is taken. */
export function CatalogueDecision({ of, step, onClose }: CatalogueDecisionProps) {
  const [values] = useState(() => ({ day: tomorrow(), time: '00:00' }));
  const said = words[step];
  const act = (reason: string, _: unknown, { day, time }: typeof values) =>
    step === 'propose'
      ? proposeDraft(of.id, { edit: of.edit, effective_from: instantOf(day, time), reason })
      : decideChange(of.id, { decision: step, reason });
  return (
    <ReasonDialog
      title={said.title}
      label={said.label}
      effect={<p>{said.effect}</p>}
      reasonLast={step === 'propose'}
      values={values}
      problemsOf={({ day }) => ({ day: step === 'propose' ? needsDay(day) : undefined })}
      act={act}
      onClose={onClose}
    >
      {step === 'propose' && (
        <>
          <TextField name="day" label="Effective from" type="date" />
          <TextField name="time" label="Time in India" type="time" />
        </>
      )}
    </ReasonDialog>
  );
}
