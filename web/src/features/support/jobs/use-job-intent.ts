import { useState } from 'react';
import type { RowActs } from '@/ui/list/use-row-keys';
import { toast } from '@/lib/toast';
import type { FailedJob, JobAction } from '../api/jobs';
import { useMay } from '../api/rights';
import type { Intent } from './jobs-act';
import type { useFailedJobs } from './use-failed-jobs';
import type { useJobFilter } from './use-job-filter';
import type { useSelection } from '../shared/use-selection';

const done: Record<JobAction, string> = {
  rerun: 'will run again',
  cancel: 'is cancelled',
  dismiss: 'is dismissed',
  snooze: 'is snoozed',
};

/** The pending action on one job, on the selected jobs, or on all that match the filter. */
export function useJobIntent(
  { filter, operation, set }: ReturnType<typeof useJobFilter>,
  { seen, total, refresh }: ReturnType<typeof useFailedJobs>,
  { chosen, all, clear, toggle, chooseAll }: ReturnType<typeof useSelection>,
) {
  const [intent, setIntent] = useState<Intent>();
  const mayAct = useMay('help');
  const intend = (action: JobAction, job?: FailedJob) => {
    if (!mayAct) return;
    if (all) setIntent({ action, ids: [], all: { filter: { ...filter, seen }, total } });
    else setIntent({ action, ids: chosen.size > 0 ? [...chosen] : job ? [job.id] : [] });
  };
  const finish = (id: string | undefined) => {
    if (intent && !id) toast.success(`Job ${intent.ids[0]} ${done[intent.action]}.`);
    setIntent(undefined);
    clear();
    set({ operation: id ?? operation, job: '' });
    refresh();
  };
  const keyActs: RowActs<FailedJob> = {
    x: (job) => toggle(job.id),
    a: chooseAll,
    r: (job) => intend('rerun', job),
    d: (job) => intend('dismiss', job),
    s: (job) => intend('snooze', job),
    c: (job) => intend('cancel', job),
  };
  return { intent, setIntent, mayAct, intend, keyActs, finish };
}
