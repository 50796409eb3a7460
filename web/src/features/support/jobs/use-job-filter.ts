import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { useSetFilter } from '@/ui/list/use-list-state';
import { filterOf, filterParams } from './jobs-filter';

/** The failed-jobs state in the URL: the filter, the open job, and the operation being watched. */
export function useJobFilter() {
  const [params] = useSearchParams();
  const narrowing = filterParams.map((name) => `${name}=${encodeURIComponent(params.get(name) ?? '')}`).join('&');
  const filter = useMemo(() => filterOf(new URLSearchParams(narrowing), Date.now()), [narrowing]);
  const narrow = useSetFilter();
  const set = useSetFilter({ stay: true });
  const open = useCallback((id: number) => set({ job: String(id) }), [set]);
  return {
    params,
    filter,
    opened: Number(params.get('job')) || 0,
    operation: params.get('operation') ?? '',
    narrow,
    set,
    open,
  };
}
