import { useSearchParams } from 'react-router';
import { planTypeOf, type PlanType } from '@/lib/plan-choice';
import { useHydrated } from '@/lib/session/session';

const PARAM = 'billing';

/** Monthly or annual, kept in the URL; monthly if it names neither, as on the prerendered page. */
export function usePlanType(): [PlanType, (planType: PlanType) => void] {
  const hydrated = useHydrated();
  const [search, setSearch] = useSearchParams();
  const choose = (planType: PlanType) => {
    setSearch(
      (before) => {
        if (planType === 'yearly') before.set(PARAM, 'annual');
        else before.delete(PARAM);
        return before;
      },
      { replace: true, preventScrollReset: true },
    );
  };
  return [planTypeOf((hydrated && search.get(PARAM)) || undefined), choose];
}
