import { useCallback, useEffect, useRef, useState, type RefObject } from 'react';

/** The row that has the keyboard focus; a row not rendered yet is focused as soon as it is. */
export function useRowFocus(body: RefObject<HTMLElement | null>, count: number, scrollTo: (index: number) => void) {
  const [active, setActive] = useState(0);
  const wanted = useRef(-1);
  const focusRow = useCallback(
    (index: number): boolean => {
      const row = body.current?.querySelector<HTMLElement>(`[data-index="${index}"]`);
      row?.focus({ preventScroll: true });
      return Boolean(row);
    },
    [body],
  );
  const go = useCallback(
    (index: number) => {
      if (index < 0 || index >= count) return;
      setActive(index);
      scrollTo(index);
      wanted.current = focusRow(index) ? -1 : index;
    },
    [focusRow, count, scrollTo],
  );
  useEffect(() => {
    if (wanted.current >= 0 && focusRow(wanted.current)) wanted.current = -1;
  });
  // Focus the first row for keyboard users, unless the user already typed into the search.
  const some = count > 0;
  useEffect(() => {
    const { activeElement } = document;
    const idle =
      !activeElement ||
      activeElement === document.body ||
      activeElement.matches('main, h1') ||
      (activeElement.matches('input[role=combobox]') && !(activeElement as HTMLInputElement).value);
    if (some && idle && !focusRow(0)) wanted.current = 0;
  }, [some, focusRow]);
  return { active, setActive, go };
}
