import { useState } from 'react';
import { Button } from '@/ui/button';
import { CheckboxField } from '@/ui/form/checkbox-field';
import type { JobGroup } from '../api/jobs';
import { ago, errorWords, jobName } from '../customers/customer-words';
import { count } from '../shared/count';

export interface JobsGroupsProps {
  groups: JobGroup[];
  /** The key of the cause by which the list is filtered. */
  chosen: string;
  /** Whether the groups are those of the first error. */
  first: boolean;
  now: number;
  onFirst: (first: boolean) => void;
  onChoose: (group: JobGroup | undefined) => void;
}

const SHOWN = 5;

/** Why the jobs failed: one row per cause, however many jobs it affected. */
export function JobsGroups({ groups, chosen, first, now, onFirst, onChoose }: JobsGroupsProps) {
  const [all, setAll] = useState(false);
  const shown = all ? groups : groups.slice(0, SHOWN);
  return (
    <section className="jobs-groups" aria-labelledby="jobs-causes">
      <h2 id="jobs-causes">Causes</h2>
      <CheckboxField box="console-switch" label="By the first error of each job" checked={first} onChange={onFirst} />
      <ul>
        {shown.map((group) => {
          const here = group.key === chosen;
          return (
            <li key={`${group.kind} ${group.key}`}>
              <button type="button" aria-pressed={here} onClick={() => onChoose(here ? undefined : group)}>
                <strong>
                  {group.count.toLocaleString('en-IN')}
                  <span className="visually-hidden"> jobs,</span>
                </strong>
                <span className="jobs-kind">{jobName(group.kind)}</span>
                <span className="jobs-cause">{errorWords(group.cause) || 'No error kept'}</span>
                <span className="jobs-when">{ago(group.latest_at, now)}</span>
              </button>
            </li>
          );
        })}
      </ul>
      {groups.length > SHOWN && (
        <Button variant="quiet" size="sm" onClick={() => setAll(!all)}>
          {all ? 'Show fewer' : `Show all ${count(groups.length, 'cause')}`}
        </Button>
      )}
    </section>
  );
}
