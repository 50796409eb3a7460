import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { NativeSelectField } from '@/ui/form/native-select-field';
import { explain } from '@/lib/api/errors';
import { newIdempotencyKey } from '@/lib/idempotency-key';
import { beginOperation, changeJob, jobQuery, type JobAction, type JobDryRun, type JobsFilter } from '../api/jobs';
import { count } from '../shared/count';
import { ReasonDialog } from '../shared/reason-dialog';
import { useDryRun } from './use-dry-run';

/** The requested action: on these jobs, on all `total` that match the filter, or on all that failed again. */
export interface Intent {
  action: JobAction;
  ids: number[];
  all?: { filter: JobsFilter & { seen?: string }; total: number };
  /** The jobs of an earlier change that failed again. */
  failedIn?: { id: string; total: number };
}

const verbs: Record<JobAction, string> = { rerun: 'Rerun', cancel: 'Cancel', dismiss: 'Dismiss', snooze: 'Snooze' };
const effects: Record<JobAction, string> = {
  rerun:
    'They start as soon as a worker is free. Every kind of job is made to have its effect once, however often it runs; one that is done, or whose twin is on its way, is left alone and says so.',
  cancel: 'They will not run again unless somebody reruns them.',
  dismiss: 'They leave this list. What became of them stays on the record and in the customer’s timeline.',
  snooze: 'They leave this list and run again later.',
};
const usual: Record<JobAction, string[]> = {
  rerun: ['The cause is fixed', 'The customer asked for it', 'The provider is back'],
  cancel: ['No longer needed', 'Done in another way', 'It would fail again'],
  dismiss: ['Known and harmless', 'Done in another way', 'Too late to matter'],
  snooze: ['The provider is still down', 'Waiting for the customer', 'Not during the busy hours'],
};
const times: [seconds: string, label: string][] = [
  ['900', '15 minutes'],
  ['3600', '1 hour'],
  ['14400', '4 hours'],
  ['86400', '1 day'],
];

function One({ id, action }: { id: number; action: JobAction }) {
  const job = useQuery(jobQuery(id));
  if (action !== 'rerun' && action !== 'snooze')
    return <p>{effects[action].replace('They', 'It').replace('leave', 'leaves').replaceAll('them', 'it')}</p>;
  return (
    <div className="job-effect" aria-live="polite">
      <p>
        <strong>
          {job.data?.effect.summary ??
            (job.error
              ? `What it would do now is not known. ${explain(job.error)}`
              : 'Looking at what it would do now…')}
        </strong>
      </p>
      {job.data && <p>{job.data.effect.again}</p>}
    </div>
  );
}

const would: Record<JobAction, string> = {
  rerun: 'would do something',
  cancel: 'would be cancelled',
  dismiss: 'would be dismissed',
  snooze: 'would be snoozed',
};

/** What the change would do, with the jobs as they are now. */
function Many({ action, found, problem }: { action: JobAction; found: JobDryRun | undefined; problem: string }) {
  return (
    <>
      <p>{effects[action]}</p>
      <div className="job-effect" role="status">
        {!found && <p>{problem ? `What it would do is not known. ${problem}` : 'Looking at what it would do now…'}</p>}
        {found && (
          <p>
            <strong>
              {found.acts.toLocaleString('en-IN')} {would[action]}
              {action === 'rerun' && `, ${found.nothing.toLocaleString('en-IN')} would find nothing left to do`}
              {`, ${found.refused.toLocaleString('en-IN')} would be left alone.`}
            </strong>
            {found.left > 0 && <> {problem || `Looking at ${count(found.left, 'more job')}…`}</>}
          </p>
        )}
        {found?.failing.map((one) => (
          <p key={one.provider} className="text-danger">
            The {one.provider} fails at the moment: {one.count.toLocaleString('en-IN')} would most likely fail again.
          </p>
        ))}
        {found && found.refusals.length > 0 && (
          <ul>
            {found.refusals.map((one) => (
              <li key={one.code}>
                {count(one.count, 'job')}: {one.message}
              </li>
            ))}
          </ul>
        )}
      </div>
    </>
  );
}

export interface JobsActProps {
  intent: Intent;
  /** Called on success, with the operation's id if it continues in the background. */
  onDone: (operation: string | undefined) => void;
  onClose: () => void;
}

/** Asks for the reason, explains the effect, and acts: on one job at once, on many in the background. */
export function JobsAct({ intent: { action, ids, all, failedIn }, onDone, onClose }: JobsActProps) {
  const [key] = useState(newIdempotencyKey);
  const [only] = ids;
  const single = !all && !failedIn && ids.length === 1 && only !== undefined;
  const tried = useDryRun(
    single
      ? undefined
      : { action, ...(failedIn ? { failed_in: failedIn.id } : all ? { filter: all.filter } : { ids }) },
  );
  const total = tried.found?.total ?? failedIn?.total ?? all?.total ?? ids.length;
  const what = single ? `job ${only}` : count(total, 'job');
  const act = async (reason: string, _: unknown, { seconds }: { seconds: string }): Promise<string | undefined> => {
    const change = {
      action,
      reason,
      key: `${key}-${seconds}`,
      ...(action === 'snooze' && { snooze_seconds: Number(seconds) }),
    };
    if (single) {
      await changeJob(only, change);
      return undefined;
    }
    const { id } = await beginOperation({ ...change, dry_run: (await tried.fixed()).id });
    return id;
  };
  return (
    <ReasonDialog
      title={`${verbs[action]} ${what}?`}
      label={`${verbs[action]} ${what}`}
      suggestions={usual[action]}
      values={{ seconds: '3600' }}
      act={act}
      onDone={onDone}
      onClose={onClose}
      effect={
        single ? (
          <One id={only} action={action} />
        ) : (
          <Many action={action} found={tried.found} problem={tried.problem} />
        )
      }
    >
      {action === 'snooze' && <NativeSelectField name="seconds" label="Run again in" options={times} />}
    </ReasonDialog>
  );
}
