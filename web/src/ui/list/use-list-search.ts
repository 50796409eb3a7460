import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useDebounced } from '@/lib/use-debounced';
import { useSetFilter } from './use-list-state';

/** A text that acts when the typing stops. A given text of another origin replaces what was typed. */
export function useTypedText(given: string, delay: number, onChange: (text: string) => void) {
  const [typed, setTyped] = useState(given);
  const settled = useDebounced(typed.trim(), delay);
  const sent = useRef<string[]>([]);
  useEffect(() => {
    // The given text follows the typing with a delay; ignore our own earlier texts, or they would overwrite newer input.
    const own = sent.current.lastIndexOf(given);
    sent.current = own < 0 ? [] : sent.current.slice(own + 1);
    if (own < 0) setTyped(given);
  }, [given]);
  const send = (text: string) => {
    if (text === given) return;
    sent.current.push(text);
    onChange(text);
  };
  useEffect(() => {
    if (settled === typed.trim()) send(settled);
    // Only typing acts, never a change of the given text itself.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [settled]);
  return { typed, setTyped, sendNow: () => send(typed.trim()) };
}

/** The text of a list's search box, written to the URL when typing pauses. A link that changes the search in the URL changes the text. */
export function useListSearch(delay: number, name = 'search') {
  const [params] = useSearchParams();
  const set = useSetFilter();
  return useTypedText(params.get(name) ?? '', delay, (text) => set({ [name]: text }));
}
