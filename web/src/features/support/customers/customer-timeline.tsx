import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { useSearchParams } from 'react-router';
import { Button } from '@/ui/button';
import { NativeSelectField } from '@/ui/form/native-select-field';
import { MoreRows } from '@/ui/list/more-rows';
import { useSetFilter } from '@/ui/list/use-list-state';
import { Async } from '@/ui/states';
import { entryQuery, newestQuery, timelineQuery, type TimelineEntry } from '../api/customers';
import { Entry, type EntryActs } from './customer-entry';
import { kindName } from './customer-words';
import { useShortcuts } from '../shell/shortcuts';
import { count } from '../shared/count';

/** The loaded pages, updated from the newest page; new entries are held back. */
function useTimeline(id: string, kind: string) {
  const pages = useInfiniteQuery(timelineQuery(id, kind));
  const newest = useQuery(newestQuery(id, kind));
  const { data: pagesData, dataUpdatedAt: pagesAt } = pages;
  const { data: newestData, dataUpdatedAt: newestAt } = newest;
  const merged = useMemo(() => {
    const loaded = pagesData?.pages.flatMap((page) => page.entries) ?? [];
    const fresh = new Map((newestData?.entries ?? []).map((entry) => [entry.id, entry]));
    const known = new Set(loaded.map((entry) => entry.id));
    const first = loaded[0];
    const waiting = [...fresh.values()].filter(
      (entry) => !known.has(entry.id) && (!first || entry.at >= first.at),
    ).length;
    return { entries: loaded.map((entry) => fresh.get(entry.id) ?? entry), waiting };
  }, [pagesData, newestData]);
  return { ...merged, pages, now: Math.max(newestAt, pagesAt) };
}

/** Shows the entries held back and focuses the newest, because the button then disappears. */
function useTakeNew(id: string, kind: string, first: string | undefined) {
  const queries = useQueryClient();
  const [loading, setLoading] = useState(false);
  const list = useRef<HTMLOListElement>(null);
  const asked = useRef(false);
  useEffect(() => {
    if (asked.current) list.current?.querySelector<HTMLElement>('[data-entry]')?.focus();
    asked.current = false;
  }, [first]);
  const take = async () => {
    setLoading(true);
    asked.current = true;
    await queries.invalidateQueries({ queryKey: timelineQuery(id, kind).queryKey });
    setLoading(false);
    if (queries.getQueryState(timelineQuery(id, kind).queryKey)?.error) asked.current = false;
  };
  return { list, loading, take };
}

/** j and k move to the next and the previous entry, but only from a focused one. */
function moveFocus(event: KeyboardEvent<HTMLOListElement>) {
  const step = { j: 1, k: -1, ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (
    !step ||
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    !(event.target instanceof HTMLElement) ||
    !event.target.matches('[data-entry]')
  )
    return;
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-entry]')];
  event.preventDefault();
  rows[rows.indexOf(event.target) + step]?.focus();
}

export interface TimelineProps {
  id: string;
  kinds: string[];
  acts: EntryActs;
}

/** The full history, newest first. New entries wait behind a button, so that nothing moves while it is being read. */
export function Timeline({ id, kinds, acts }: TimelineProps) {
  const [params] = useSearchParams();
  const set = useSetFilter();
  const kind = kinds.includes(params.get('kind') ?? '') ? (params.get('kind') ?? '') : '';
  const wanted = params.get('entry') ?? '';
  const { enabled } = useShortcuts();
  const { pages, entries, waiting, now } = useTimeline(id, kind);
  const isThere = entries.some((entry) => entry.id === wanted);
  const apart = useQuery({ ...entryQuery(id, wanted), enabled: wanted !== '' && pages.isSuccess && !isThere });

  const { list, loading, take } = useTakeNew(id, kind, entries[0]?.id);
  const show = (next: string) => set({ kind: next, entry: undefined });
  const line = (entry: TimelineEntry) => (
    <Entry
      key={entry.id === wanted ? `link to ${entry.id}` : entry.id}
      entry={entry}
      linked={entry.id === wanted}
      now={now}
      acts={acts}
    />
  );
  return (
    <section aria-labelledby="timeline-title" className="customer-timeline">
      <div className="console-bar">
        <h2 id="timeline-title">Timeline</h2>
        <NativeSelectField
          box="console-filter"
          label="Show"
          empty="Everything"
          options={kinds.map((one) => [one, kindName(one)])}
          value={kind}
          onChange={show}
        />
      </div>
      <p role="status" className="visually-hidden">
        {waiting > 0 ? count(waiting, 'new entry', 'new entries') : ''}
      </p>
      {waiting > 0 && (
        <div className="timeline-new">
          <Button size="sm" pending={loading} onClick={() => void take()}>
            Show {waiting} new
          </Button>
        </div>
      )}
      <Async query={pages} what="the timeline" lines={8} tellStale />
      {wanted && apart.error && <p className="console-error">The entry that the link names is not there.</p>}
      {wanted && !isThere && apart.data && (
        <ol className="timeline" aria-label="The entry of the link">
          {line(apart.data)}
        </ol>
      )}
      {pages.isSuccess && entries.length === 0 && (
        <p className="console-hint">{kind ? 'There is nothing of this kind.' : 'Nothing has happened yet.'}</p>
      )}
      {/* The keys act on the focused entry inside. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <ol ref={list} className="timeline" aria-label="Timeline" onKeyDown={enabled ? moveFocus : undefined}>
        {entries.map(line)}
      </ol>
      {pages.isSuccess && !pages.hasNextPage && (
        <p className="console-hint">Sign-ins and codes are kept for 30 days, so that older ones are not listed.</p>
      )}
      <MoreRows of={pages}>Show earlier</MoreRows>
    </section>
  );
}
