import { useEffect } from 'react';

/** What opens the first row of the page's list; a chart's figures as a table, which can be unfolded, are another. */
const firstEntry = '.console-scroll:not(details *) tbody :is(a, button)';

/** Whether nothing has the focus that somebody chose: the page itself, its heading, or the search that is empty. */
function isIdle({ activeElement }: Document): boolean {
  if (!activeElement || activeElement.matches('body, main, h1')) return true;
  return activeElement.matches('input[role=combobox]') && !(activeElement as HTMLInputElement).value;
}

/**
 * Gives the first row of the page's list the focus unless somebody took it elsewhere: when the list is there, when newer rows are shown, and
 * when an act is done, because the button that was pressed may be gone. A dialog and newer rows that are not shown make it wait.
 */
export function useFirstRow(newest: number | undefined, waiting: boolean) {
  useEffect(() => {
    if (newest === undefined || waiting) return undefined;
    // A dialog first gives the focus back to where it was.
    const later = setTimeout(() => {
      if (isIdle(document)) document.querySelector<HTMLElement>(firstEntry)?.focus({ preventScroll: true });
    }, 50);
    return () => clearTimeout(later);
  }, [newest, waiting]);
}
