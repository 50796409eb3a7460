import { useRef, type KeyboardEvent } from 'react';
import type { FailedJob } from '../api/jobs';
import { JobRow } from './jobs-row';
import { useShortcuts } from '../shell/shortcuts';
import { useRowFocus } from '../shared/use-row-focus';
import { useVirtualRows } from './use-virtual-rows';

export interface JobsTableProps {
  jobs: FailedJob[];
  total: number;
  now: number;
  chosen: ReadonlySet<number>;
  /** Everything that matches is selected, loaded or not. */
  all: boolean;
  onToggle: (id: number) => void;
  onAll: () => void;
  onOpen: (id: number) => void;
  onAct: (action: 'rerun' | 'dismiss' | 'snooze' | 'cancel', job: FailedJob) => void;
  /** Called when scrolling nears the end of the loaded rows. */
  onNearEnd: () => void;
}

/** Handles keys on the focused row; single-key shortcuts only if enabled. */
function useRowKeys({ jobs, onToggle, onAll, onOpen, onAct }: JobsTableProps, go: (index: number) => void) {
  const { enabled } = useShortcuts();
  return (event: KeyboardEvent<HTMLTableSectionElement>) => {
    const row = (event.target as HTMLElement).closest('tr');
    const index = Number(row?.dataset.index);
    const job = jobs[index];
    if (!row || event.target !== row || !job || event.ctrlKey || event.metaKey || event.altKey) return;
    const always: Record<string, () => void> = {
      ArrowDown: () => go(index + 1),
      ArrowUp: () => go(index - 1),
      Home: () => go(0),
      End: () => go(jobs.length - 1),
      Enter: () => onOpen(job.id),
    };
    const single: Record<string, () => void> = {
      j: () => go(index + 1),
      k: () => go(index - 1),
      x: () => onToggle(job.id),
      a: onAll,
      r: () => onAct('rerun', job),
      d: () => onAct('dismiss', job),
      s: () => onAct('snooze', job),
      c: () => onAct('cancel', job),
    };
    const act = always[event.key] ?? (enabled ? single[event.key] : undefined);
    if (!act) return;
    event.preventDefault();
    act();
  };
}

function Space({ height }: { height: number }) {
  if (height <= 0) return null;
  return (
    <tr aria-hidden="true" className="jobs-space">
      <td colSpan={7} height={height} />
    </tr>
  );
}

/**
 * The failed jobs; only visible rows are rendered, so that ten thousand scroll like ten. It is no `Table`, whose rows neither take the focus
 * nor know their place among rows that are not rendered, and are rendered again with each step of the scrolling.
 */
export function JobsTable(props: JobsTableProps) {
  const { jobs, total, now, chosen, all, onToggle, onOpen, onNearEnd } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  const { items, before, after, scrollTo } = useVirtualRows(body, jobs.length, onNearEnd);
  const { active, setActive, go } = useRowFocus(body, jobs.length, scrollTo);
  const handleKey = useRowKeys(props, go);
  return (
    <table className="jobs-table" aria-rowcount={total + 1}>
      <caption className="visually-hidden">Failed jobs, newest failure first. Press ? for keyboard shortcuts.</caption>
      <thead>
        <tr aria-rowindex={1}>
          {['Choose', 'Job', 'State', 'Attempts', 'Error', 'Failed', 'Customer'].map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      {/* The keys act on the focused row; each has a button too. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <tbody ref={body} onKeyDown={handleKey}>
        <Space height={before} />
        {items.map(({ index }) => {
          const job = jobs[index];
          return (
            job && (
              <JobRow
                key={job.id}
                job={job}
                index={index}
                now={now}
                active={index === active}
                chosen={all || chosen.has(job.id)}
                onFocus={setActive}
                onToggle={onToggle}
                onOpen={onOpen}
              />
            )
          );
        })}
        <Space height={after} />
      </tbody>
    </table>
  );
}
