import { useEffect, useRef } from 'react';

/** Whoever asks for the new jobs goes on at the newest, because the button is gone then. */
export function useFocusNewest(newest: number | undefined) {
  const asked = useRef(false);
  useEffect(() => {
    if (asked.current) document.querySelector<HTMLElement>('.jobs-table [data-index="0"]')?.focus();
    asked.current = false;
  }, [newest]);
  return asked;
}
