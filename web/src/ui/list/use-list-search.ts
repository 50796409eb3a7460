import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useDebounced } from '@/lib/use-debounced';
import { useSetFilter } from './use-list-state';

/** The text of a list's search box, written to the URL when typing pauses. A link that changes the search in the URL changes the text. */
export function useListSearch(delay: number) {
  const [params] = useSearchParams();
  const set = useSetFilter();
  const inAddress = params.get('search') ?? '';
  const [typed, setTyped] = useState(inAddress);
  const [seen, setSeen] = useState(inAddress);
  const settled = useDebounced(typed.trim(), delay);
  if (inAddress !== seen) {
    setSeen(inAddress);
    if (inAddress !== settled) setTyped(inAddress);
  }
  const search = (text: string) => {
    if (text !== inAddress) set({ search: text });
  };
  useEffect(() => search(settled), [settled]); // eslint-disable-line react-hooks/exhaustive-deps -- only when the typing has paused
  return { typed, setTyped, searchNow: () => search(typed.trim()) };
}
