import { useState } from 'react';
import { newIdempotencyKey } from '@/lib/idempotency-key';
import { ReasonDialog } from './reason-dialog';

/** An act that needs a reason only. */
export interface Intent {
  title: string;
  effect: string;
  label: string;
  usual: string[];
  act: (reason: string, key: string) => Promise<{ message: string }>;
}

/** Asks for a reason, acts once however often it is submitted, and reports the outcome. */
export function ReasonedAct({ intent, onClose }: { intent: Intent; onClose: () => void }) {
  const [key] = useState(newIdempotencyKey);
  return (
    <ReasonDialog
      title={intent.title}
      effect={<p>{intent.effect}</p>}
      label={intent.label}
      suggestions={intent.usual}
      act={(reason) => intent.act(reason, key)}
      onClose={onClose}
    />
  );
}
