import { createContext, useContext, useEffect, useEffectEvent, useRef } from 'react';

/** Whether single keys work in lists; people can turn them off. */
export const ListKeysContext = createContext(true);

/** What single keys do with a row. */
export type RowActs<Row> = Readonly<Record<string, (row: Row) => void>>;

const steps: Record<string, number> = { j: 1, k: -1 };
const arrows: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };

/** The first link or button of a row, which Enter then opens. */
const entryOf = (row: Element) => row.querySelector<HTMLElement>('a[href], button, summary');

const types = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('textarea, select, input:not([type=checkbox], [type=radio])'));

/**
 * Handles j and k in a list: the focus moves to the next or previous row that has something to open. The list of a page takes the keys
 * from everywhere on it, because no row has the focus when the page opens. Other keys, if there are any, act on the row with the focus.
 */
export function useRowKeys<Row>(data: readonly Row[], acts: RowActs<Row> | undefined, ofPage = false) {
  const enabled = useContext(ListKeysContext);
  const list = useRef<HTMLDivElement>(null);
  const handle = useEffectEvent((event: KeyboardEvent) => {
    const inside = list.current?.contains(event.target as Node);
    const step = (enabled && steps[event.key]) || (acts && inside && arrows[event.key]);
    const act = enabled && inside && acts?.[event.key];
    if (!list.current || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (types(event.target) || (!inside && (!ofPage || document.querySelector('[role=dialog]')))) return;
    const rows = [...list.current.querySelectorAll('tbody > tr')];
    const holds = (row: Element) => row.contains(event.target as Node);
    const row = data[rows.findIndex(holds)];
    if (act && row) {
      event.preventDefault();
      act(row);
    }
    if (!step) return;
    const opening = rows.filter(entryOf);
    const here = opening.findIndex(holds);
    const next = here < 0 ? opening[0] : opening[here + step];
    if (!next) return;
    event.preventDefault();
    entryOf(next)?.focus();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => handle(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
  return list;
}
