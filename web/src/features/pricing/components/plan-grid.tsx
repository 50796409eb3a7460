import { t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { Async, EmptyState } from '@/ui/states';
import type { PlanType } from '@/lib/plan-choice';
import { useHydrated, useSession } from '@/lib/session/session';
import { plansQuery } from '@/domain/plan-comparison/api/plans';
import { bookPlans } from '@/domain/plan-comparison/book';
import { PlanCard } from './plan-card';

/** The plans side by side, up to four as the width allows. */
export function PlanGrid({ planType }: { planType: PlanType }) {
  const { isAuthenticated } = useSession();
  const plans = useQuery(plansQuery(isAuthenticated));
  // The finished page has the prices of the release; the live ones may be here before this part takes its markup over.
  const hydrated = useHydrated();
  // Rendered in slices, so that a slow phone can still scroll in between.
  const live = useDeferredValue(hydrated ? plans.data?.subscription_plan : undefined);
  const shown = live ?? bookPlans;
  if (hydrated && plans.isError && !plans.data) return <Async query={plans} what={t`the plans`} />;
  if (shown.length === 0) {
    return (
      <EmptyState
        title={t`No Data Found!!`}
      >{t`No plan is on offer at the moment. Please come back later, or write to us.`}</EmptyState>
    );
  }
  return (
    <div className="plan-grid">
      {shown.map((plan) => (
        <PlanCard key={plan.plan_name} plan={plan} planType={planType} />
      ))}
    </div>
  );
}
