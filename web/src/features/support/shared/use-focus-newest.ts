import { useEffect, useRef } from 'react';

/** After showing the new jobs, focuses the newest, because the button then disappears. */
export function useFocusNewest(newest: number | undefined) {
  const asked = useRef(false);
  useEffect(() => {
    if (asked.current) document.querySelector<HTMLElement>('.jobs-table [data-index="0"]')?.focus();
    asked.current = false;
  }, [newest]);
  return asked;
}
