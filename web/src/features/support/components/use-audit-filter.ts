import { useSearchParams } from 'react-router';
import type { AuditFilter } from '../api/help';
import { actionNames } from './customer-words';

const names = ['staff_id', 'customer_id', 'from', 'to'] as const;

export type AuditFilterName = (typeof names)[number] | 'action';

/** What the address asks of the trail, and how to ask for something else. */
export function useAuditFilter() {
  const [params, setParams] = useSearchParams();
  const action = actionNames.find(([one]) => one === params.get('action'))?.[0];
  const filter: AuditFilter = {
    ...Object.fromEntries(names.flatMap((name) => (params.get(name) ? [[name, params.get(name) ?? '']] : []))),
    ...(action && { action }),
  };
  /** Narrows the trail; it then starts at its newest record again. */
  const narrow = (name: AuditFilterName, value: string) =>
    setParams(
      (old) => {
        if (value) old.set(name, value);
        else old.delete(name);
        old.delete('before');
        return old;
      },
      { preventScrollReset: true, replace: true },
    );
  return { filter, before: Number(params.get('before')) || undefined, narrow };
}
