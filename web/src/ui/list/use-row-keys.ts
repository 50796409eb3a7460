import { createContext, useContext, useEffect, useEffectEvent, useRef } from 'react';

/** Whether single keys work in lists; people can turn them off. */
export const ListKeysContext = createContext(true);

const steps: Record<string, number> = { j: 1, k: -1 };

/** The first link or button of a row, which Enter then opens. */
const entryOf = (row: Element) => row.querySelector<HTMLElement>('a[href], button, summary');

const types = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('textarea, select, input:not([type=checkbox], [type=radio])'));

/**
 * Handles j and k in a list: the focus moves to the next or previous row that has something to open. The list of a page takes the keys
 * from everywhere on it, because no row has the focus when the page opens.
 */
export function useRowKeys(ofPage = false) {
  const enabled = useContext(ListKeysContext);
  const list = useRef<HTMLDivElement>(null);
  const handle = useEffectEvent((event: KeyboardEvent) => {
    const step = steps[event.key];
    const inside = list.current?.contains(event.target as Node);
    if (!list.current || !step || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (types(event.target) || (!inside && (!ofPage || document.querySelector('[role=dialog]')))) return;
    const rows = [...list.current.querySelectorAll('tbody > tr')].filter(entryOf);
    const here = rows.findIndex((row) => row.contains(event.target as Node));
    const next = here < 0 ? rows[0] : rows[here + step];
    if (!next) return;
    event.preventDefault();
    entryOf(next)?.focus();
  });
  useEffect(() => {
    if (!enabled) return undefined;
    const listen = (event: KeyboardEvent) => handle(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [enabled]);
  return list;
}
