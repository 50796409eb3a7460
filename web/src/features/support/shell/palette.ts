import { atom, useAtomValue, useSetAtom } from 'jotai';
import { useEffect, useEffectEvent } from 'react';
import type { Desk } from './desks';

/** An entry of the palette that is no result of the search: a page, an act, or a customer opened before. */
export interface Command {
  kind: 'Page' | 'Act' | 'Recent';
  label: string;
  detail?: string;
  /** Other words that find it. */
  words?: string;
  to?: string;
  run?: () => void;
}

/** The detail of an act that the open page offers. */
export const ON_PAGE = 'On this page';

export interface PageAct {
  label: string;
  words?: string;
  run: () => void;
}

const pageActs = atom<readonly PageAct[]>([]);

/** Offers the acts of the page in the palette. */
export function usePageActs(acts: readonly PageAct[]): void {
  const set = useSetAtom(pageActs);
  const names = acts.map(({ label }) => label).join('\n');
  const run = useEffectEvent((at: number) => acts[at]?.run());
  useEffect(() => {
    set(acts.map(({ label, words }, at) => ({ label, ...(words && { words }), run: () => run(at) })));
    return () => set([]);
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the names say which acts there are
  }, [names, set]);
}

export const useOfferedActs = () => useAtomValue(pageActs);

const RECENT = 'franchise360-console-recent';
const KEPT = 6;

interface Recent {
  to: string;
  label: string;
  detail: string;
}

/** What the palette opened last in this tab; names of customers are not kept beyond it. */
export function recents(): Recent[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(RECENT) ?? '[]');
    return Array.isArray(kept) ? (kept as Recent[]).slice(0, KEPT) : [];
  } catch {
    return [];
  }
}

export function remember(one: Recent): void {
  try {
    const others = recents().filter(({ to }) => to !== one.to);
    sessionStorage.setItem(RECENT, JSON.stringify([one, ...others].slice(0, KEPT)));
  } catch {
    // Without storage the palette has no recent entries.
  }
}

export function forgetRecents(): void {
  try {
    sessionStorage.removeItem(RECENT);
  } catch {
    // Nothing was kept.
  }
}

export const pagesOf = (desks: readonly Desk[]): Command[] =>
  desks.flatMap(({ label: desk, places }) =>
    places.map(({ to, label, words = '' }) => ({
      kind: 'Page' as const,
      label,
      to,
      words: `${desk} ${words}`,
      ...(desk !== label && { detail: desk }),
    })),
  );

const wordsIn = (text: string) => text.toLowerCase().match(/[a-z0-9]+/g) ?? [];

/** Whether the words differ by at most one letter that is missing, extra, wrong or swapped with the next one. */
function isNear(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  const rest = (x: number, y: number) => a.slice(at + x) === b.slice(at + y);
  return (
    rest(1, 1) ||
    rest(1, 0) ||
    rest(0, 1) ||
    (a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2))
  );
}

/** How well a command matches: 3 by the beginning of its name, 2 by words of its name, 1 by other words or with a typing error, 0 not. */
function matchOf({ label, words = '' }: Command, typed: string): 0 | 1 | 2 | 3 {
  const asked = wordsIn(typed);
  if (asked.length === 0) return 0;
  if (wordsIn(label).join(' ').startsWith(asked.join(' '))) return 3;
  const named = wordsIn(label);
  if (asked.every((one) => named.some((word) => word.startsWith(one)))) return 2;
  const all = [...named, ...wordsIn(words)];
  const fits = (one: string) =>
    all.some(
      (word) =>
        word.startsWith(one) || (one.length > 3 && (isNear(one, word) || isNear(one, word.slice(0, one.length)))),
    );
  return asked.every((one) => one.length > 1 && fits(one)) ? 1 : 0;
}

/** The commands that match, best first: those matched by name, and the others. */
export function matching(commands: readonly Command[], typed: string): { named: Command[]; others: Command[] } {
  const judged = commands.map((command) => ({ command, match: matchOf(command, typed) }));
  const by = (wanted: number) => judged.filter(({ match }) => match === wanted).map(({ command }) => command);
  return { named: [...by(3), ...by(2)].slice(0, 6), others: by(1).slice(0, 4) };
}
