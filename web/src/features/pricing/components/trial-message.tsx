import type { ReactNode } from 'react';
import { TrialEndedNotice, useEndedTrial } from '@/domain/payment/renewal-notice';

/** What has ended: a free trial in the site's standard words, any other plan as the server puts it. */
export function TrialMessage({ children }: { children: ReactNode }) {
  const trial = useEndedTrial();
  if (trial === undefined) return null;
  return trial ? <TrialEndedNotice renewOn={trial} /> : children;
}
