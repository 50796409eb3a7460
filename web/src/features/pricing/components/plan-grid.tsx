import { t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { EmptyState, ErrorState, Loading } from '@/components/states';
import type { PlanType } from '@/lib/plan-choice';
import { useHydrated, useSession } from '@/lib/session/session';
import { plansQuery } from '@/components/plan-comparison/api/plans';
import { PlanCard, PlanCardSkeleton } from './plan-card';

const skeletons = ['first', 'second', 'third', 'fourth'];

/** The plans side by side, up to four as the width allows. */
export function PlanGrid({ planType }: { planType: PlanType }) {
  const { isAuthenticated } = useSession();
  const plans = useQuery(plansQuery(isAuthenticated));
  // The prerendered page has the placeholders; the prices may be here before this part takes its markup over.
  const hydrated = useHydrated();
  // Rendered in slices, so that a slow phone can still scroll in between.
  const shown = useDeferredValue(hydrated ? plans.data : undefined);
  if (hydrated && plans.isError)
    return <ErrorState error={plans.error} what={t`the plans`} onRetry={() => void plans.refetch()} />;
  if (!shown) {
    return (
      <Loading what={t`the plans`} onRetry={() => void plans.refetch()}>
        <div className="plan-grid">
          {skeletons.map((name) => (
            <PlanCardSkeleton key={name} />
          ))}
        </div>
      </Loading>
    );
  }
  if (shown.subscription_plan.length === 0) {
    return (
      <EmptyState
        title={t`No Data Found!!`}
      >{t`No plan is on offer at the moment. Please come back later, or write to us.`}</EmptyState>
    );
  }
  return (
    <div className="plan-grid">
      {shown.subscription_plan.map((plan) => (
        <PlanCard key={plan.id} plan={plan} planType={planType} />
      ))}
    </div>
  );
}
