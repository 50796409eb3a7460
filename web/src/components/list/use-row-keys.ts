import { createContext, useContext, type KeyboardEvent } from 'react';

/** Whether single keys work in lists; people can turn them off. */
export const ListKeysContext = createContext(true);

const steps: Record<string, number> = { j: 1, k: -1 };

/** The first link or button of a row, which Enter then opens. */
const entryOf = (row: Element) => row.querySelector<HTMLElement>('a[href], button, summary');

const types = (target: EventTarget) =>
  target instanceof HTMLElement && target.matches('textarea, select, input:not([type=checkbox], [type=radio])');

/** Handles j and k in a list: the focus moves to the next or previous row that has something to open. */
export function useRowKeys() {
  const enabled = useContext(ListKeysContext);
  return ({ key, currentTarget, target, ctrlKey, metaKey, altKey }: KeyboardEvent<HTMLElement>) => {
    const step = steps[key];
    if (!enabled || !step || ctrlKey || metaKey || altKey || types(target)) return;
    const rows = [...currentTarget.querySelectorAll('tbody > tr')].filter(entryOf);
    const here = rows.findIndex((row) => row.contains(target as Node));
    const next = here < 0 ? rows[0] : rows[here + step];
    if (next) entryOf(next)?.focus();
  };
}
