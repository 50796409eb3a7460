import { useListSearch } from '@/ui/list/use-list-search';
import { anyText, useListState } from '@/ui/list/use-list-state';

/** The parameters of a list request. */
export interface ListQuery {
  page: number;
  search: string | undefined;
}

/** Delay in milliseconds between the last keystroke and the search; Enter searches at once. */
const DEBOUNCE_MS = 1000;

/** Page and search as stored in the URL. */
export function useListQuery(): ListQuery {
  const { filter, page } = useListState({ search: anyText });
  return { page, search: filter.search };
}

/** The search box's text, written to the URL when typing pauses; a new search starts on the first page. */
export const useSearchBox = () => useListSearch(DEBOUNCE_MS);
