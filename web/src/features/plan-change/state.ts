import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import type { components } from '@/lib/api/schema.gen';
import { formatDate } from '@/lib/format';
import { planTypeOf, REVIEW_PARAM, type PlanType } from '@/lib/plan-choice';

type Schemas = components['schemas'];
export type PlanChange = Schemas['PlanChange'];
export type Option = Schemas['ChangeOption'];

const PLAN_PARAM = 'plan';
const BILLING_PARAM = 'billing';
const WITHOUT_PARAM = 'without';
const KEEP_PARAM = 'keep';

/**
 * The current choice. The URL follows a moment later, so that the choice survives a reload and a detour to the business address; a press
 * shows at once.
 */
export function useChangeParams() {
  const [search, setSearch] = useSearchParams();
  const [chosen, setChosen] = useState<Record<string, string>>({});
  const set = (name: string, value: string) => {
    setChosen((before) => ({ ...before, [name]: value }));
    setSearch(
      (before) => {
        if (value) before.set(name, value);
        else before.delete(name);
        return before;
      },
      { replace: true, preventScrollReset: true },
    );
  };
  const get = (name: string) => chosen[name] ?? search.get(name) ?? '';
  return {
    billing: get(BILLING_PARAM) ? planTypeOf(get(BILLING_PARAM)) : null,
    plan: get(PLAN_PARAM),
    without: get(WITHOUT_PARAM).split(',').filter(Boolean),
    keep: get(KEEP_PARAM).split(',').filter(Boolean),
    review: get(REVIEW_PARAM) !== '',
    setBilling: (value: PlanType) => set(BILLING_PARAM, value === 'yearly' ? 'annual' : 'monthly'),
    setPlan: (id: string) => set(PLAN_PARAM, id),
    setWithout: (ids: readonly string[]) => set(WITHOUT_PARAM, ids.join(',')),
    setKeep: (ids: readonly string[]) => set(KEEP_PARAM, ids.join(',')),
    setReview: (open: boolean) => set(REVIEW_PARAM, open ? '1' : ''),
  };
}

export type ChangeParams = ReturnType<typeof useChangeParams>;

/** A plan's start and the amount due then, in a few words. */
export function beginsText({ begins, on, pay_now: now }: Option): string {
  switch (begins) {
    case 'current':
      return t`Your plan now`;
    case 'scheduled':
      return t`Planned from ${formatDate(on)}`;
    case 'renewal':
      return t`From ${formatDate(on)}`;
    case 'now':
      return t`Now ${now}`;
  }
}

/** Whether an option can be chosen: the active and the already scheduled plan cannot. */
export const choosable = ({ begins }: Option) => begins === 'now' || begins === 'renewal';

export const termOf = (planType: PlanType) => (planType === 'yearly' ? t`yearly` : t`monthly`);
