import { useQuery } from '@tanstack/react-query';
import { EmptyState, ErrorState, Loading } from '@/components/states';
import type { PlanType } from '@/lib/plan-choice';
import { useSession } from '@/lib/session/session';
import { plansQuery } from '../api/plans';
import { PlanCard, PlanCardSkeleton } from './plan-card';

const skeletons = ['first', 'second', 'third', 'fourth'];

/** The plans side by side, as many as the width allows, up to four. */
export function PlanGrid({ planType }: { planType: PlanType }) {
  const { isAuthenticated } = useSession();
  const plans = useQuery(plansQuery(isAuthenticated));
  if (plans.isPending) {
    return (
      <Loading what="the plans" onRetry={() => void plans.refetch()}>
        <div className="plan-grid">
          {skeletons.map((name) => (
            <PlanCardSkeleton key={name} />
          ))}
        </div>
      </Loading>
    );
  }
  if (plans.isError) return <ErrorState error={plans.error} what="the plans" onRetry={() => void plans.refetch()} />;
  if (plans.data.subscription_plan.length === 0) {
    return <EmptyState title="No Data Found!!">No plan is on offer at the moment. Please come back later, or write to us.</EmptyState>;
  }
  return (
    <div className="plan-grid">
      {plans.data.subscription_plan.map((plan) => (
        <PlanCard key={plan.id} plan={plan} planType={planType} />
      ))}
    </div>
  );
}
