import { useSearchParams } from 'react-router';
import { useSetFilter } from '@/ui/list/use-list-state';
import type { AuditFilter } from '../api/help';
import { actionNames } from '../shared/action-words';

const names = ['staff_id', 'customer_id', 'from', 'to'] as const;

export type AuditFilterName = (typeof names)[number] | 'action';

/** The audit filter in the URL, and how to change it. */
export function useAuditFilter() {
  const [params] = useSearchParams();
  const set = useSetFilter();
  const action = actionNames.find(([one]) => one === params.get('action'))?.[0];
  const filter: AuditFilter = {
    ...Object.fromEntries(names.flatMap((name) => (params.get(name) ? [[name, params.get(name) ?? '']] : []))),
    ...(action && { action }),
  };
  /** Narrows the trail, which then restarts at its newest record. */
  const narrow = (name: AuditFilterName, value: string) => set({ [name]: value });
  return { filter, before: Number(params.get('before')) || undefined, narrow };
}
