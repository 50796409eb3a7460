import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react';
import type { FailedJob } from '../api/jobs';
import { JobRow } from './jobs-row';
import { useShortcuts } from './shortcuts';

export interface JobsTableProps {
  jobs: FailedJob[];
  total: number;
  now: number;
  chosen: ReadonlySet<number>;
  /** Everything that matches is chosen, on the screen or not. */
  all: boolean;
  onToggle: (id: number) => void;
  onAll: () => void;
  onOpen: (id: number) => void;
  onAct: (action: 'rerun' | 'dismiss' | 'snooze' | 'cancel', job: FailedJob) => void;
  /** The end of what is loaded is near. */
  onNearEnd: () => void;
}

/** The heights that the rows have in support-jobs.scss, in pixels. */
const ROW = { wide: 44, narrow: 104 };
const wide = '(width >= 1000px)';

function useRowHeight(): number {
  const [isWide, setWide] = useState(() => typeof matchMedia === 'undefined' || matchMedia(wide).matches);
  useEffect(() => {
    const media = matchMedia(wide);
    const listen = () => setWide(media.matches);
    media.addEventListener('change', listen);
    return () => media.removeEventListener('change', listen);
  }, []);
  return isWide ? ROW.wide : ROW.narrow;
}

/** The failed jobs, of which only those on the screen are drawn, so that ten thousand scroll like ten. */
export function JobsTable({
  jobs,
  total,
  now,
  chosen,
  all,
  onToggle,
  onAll,
  onOpen,
  onAct,
  onNearEnd,
}: JobsTableProps) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [top, setTop] = useState(0);
  const [active, setActive] = useState(0);
  const wanted = useRef(-1);
  const { enabled } = useShortcuts();
  const height = useRowHeight();
  useLayoutEffect(() => setTop(body.current?.offsetTop ?? 0), [jobs.length]);
  const virtual = useWindowVirtualizer({
    count: jobs.length,
    estimateSize: () => height,
    overscan: 12,
    scrollMargin: top,
    scrollPaddingStart: 120,
    scrollPaddingEnd: 24,
  });
  useEffect(() => virtual.measure(), [virtual, height]);
  const items = virtual.getVirtualItems();
  const lastShown = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (lastShown >= jobs.length - 40) onNearEnd();
  }, [lastShown, jobs.length, onNearEnd]);

  const focusRow = useCallback((index: number): boolean => {
    const row = body.current?.querySelector<HTMLTableRowElement>(`[data-index="${index}"]`);
    row?.focus({ preventScroll: true });
    return Boolean(row);
  }, []);
  const go = useCallback(
    (index: number) => {
      if (index < 0 || index >= jobs.length) return;
      setActive(index);
      virtual.scrollToIndex(index);
      wanted.current = focusRow(index) ? -1 : index;
    },
    [focusRow, jobs.length, virtual],
  );
  useEffect(() => {
    if (wanted.current >= 0 && focusRow(wanted.current)) wanted.current = -1;
  });
  // Whoever comes by the keyboard begins at the first row, unless something was typed into the search meanwhile.
  const some = jobs.length > 0;
  useEffect(() => {
    const { activeElement } = document;
    const idle =
      !activeElement ||
      activeElement === document.body ||
      activeElement.matches('main, h1') ||
      (activeElement.matches('input[role=combobox]') && !(activeElement as HTMLInputElement).value);
    if (some && idle && !focusRow(0)) wanted.current = 0;
  }, [some, focusRow]);

  const handleKey = (event: KeyboardEvent<HTMLTableSectionElement>) => {
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
  const before = (items[0]?.start ?? top) - top;
  const after = virtual.getTotalSize() - ((items.at(-1)?.end ?? top) - top);
  return (
    <table className="jobs-table" aria-rowcount={total + 1}>
      <caption className="visually-hidden">Failed jobs, newest failure first. Press ? for the keys.</caption>
      <thead>
        <tr aria-rowindex={1}>
          {['Choose', 'Job', 'State', 'Attempts', 'Error', 'Failed', 'Customer'].map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      {/* The keys act on the row that has the focus; each has a button too. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <tbody ref={body} onKeyDown={handleKey}>
        {before > 0 && (
          <tr aria-hidden="true" className="jobs-space">
            <td colSpan={7} height={before} />
          </tr>
        )}
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
        {after > 0 && (
          <tr aria-hidden="true" className="jobs-space">
            <td colSpan={7} height={after} />
          </tr>
        )}
      </tbody>
    </table>
  );
}
