import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useDebounced } from '@/lib/use-debounced';

/** The parameters of a list request. */
export interface ListQuery {
  page: number;
  search: string | undefined;
}

/** Delay in milliseconds between the last keystroke and the search; Enter searches at once. */
const DEBOUNCE_MS = 1000;
/** The longest search the server accepts. */
export const SEARCH_MAX = 100;

/** Page and search as stored in the URL. */
export function useListQuery(): ListQuery {
  const [params] = useSearchParams();
  const page = Number(params.get('page'));
  return {
    page: Number.isInteger(page) && page > 0 ? page : 1,
    search: params.get('search')?.slice(0, SEARCH_MAX) || undefined,
  };
}

/** The search box's text, written to the URL when typing pauses; a new search starts on the first page. */
export function useSearchBox() {
  const [params, setParams] = useSearchParams();
  const inAddress = params.get('search') ?? '';
  const [typed, setTyped] = useState(inAddress);
  const settled = useDebounced(typed, DEBOUNCE_MS);

  const search = (text: string) => {
    if (text.trim() === inAddress) return;
    setParams(
      (before) => {
        if (text.trim()) before.set('search', text.trim());
        else before.delete('search');
        before.delete('page');
        return before;
      },
      { replace: true, preventScrollReset: true },
    );
  };
  useEffect(() => search(settled), [settled]); // eslint-disable-line react-hooks/exhaustive-deps -- only when the typing has paused
  return { typed, setTyped, searchNow: () => search(typed) };
}
