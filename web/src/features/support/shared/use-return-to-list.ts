import { useCallback, useEffect, useRef } from 'react';

/**
 * Returns focus to the list after an act, because the button that opened the dialog may be gone. Call the returned function when the act is
 * done.
 */
export function useReturnToList(acting: boolean): () => void {
  const done = useRef(false);
  useEffect(() => {
    if (acting || !done.current) return undefined;
    done.current = false;
    // The dialog first gives the focus back to where it was.
    const later = setTimeout(() => {
      const { activeElement } = document;
      if (!activeElement || activeElement === document.body || activeElement.matches('main'))
        document.querySelector<HTMLElement>('.jobs-table tbody [tabindex="0"]')?.focus();
    }, 50);
    return () => clearTimeout(later);
  }, [acting]);
  return useCallback(() => {
    done.current = true;
  }, []);
}
