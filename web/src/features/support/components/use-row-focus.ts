import { useCallback, useEffect, useRef, useState, type RefObject } from 'react';

/** Which row the keyboard is on; a row that is not drawn yet gets the focus as soon as it is. */
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
  // Whoever comes by the keyboard begins at the first row, unless something was typed into the search meanwhile.
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
