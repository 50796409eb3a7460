import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { filterOf, filterParams } from './jobs-filter';

/** The failed-jobs state in the URL: the filter, the open job, and the operation being watched. */
export function useJobFilter() {
  const [params, setParams] = useSearchParams();
  const narrowing = filterParams.map((name) => `${name}=${encodeURIComponent(params.get(name) ?? '')}`).join('&');
  const filter = useMemo(() => filterOf(new URLSearchParams(narrowing), Date.now()), [narrowing]);
  const set = useCallback(
    (next: Record<string, string>) =>
      setParams(
        (old) =>
          new URLSearchParams(Object.entries({ ...Object.fromEntries(old), ...next }).filter(([, value]) => value)),
        { replace: true },
      ),
    [setParams],
  );
  const open = useCallback((id: number) => set({ job: String(id) }), [set]);
  return {
    params,
    filter,
    opened: Number(params.get('job')) || 0,
    operation: params.get('operation') ?? '',
    set,
    open,
  };
}
