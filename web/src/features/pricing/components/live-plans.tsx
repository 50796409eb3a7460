import { useQuery } from '@tanstack/react-query';
import { Notice } from '@/components/notice';
import { WithData } from '@/components/with-data';
import { useSession } from '@/lib/session/session';
import { plansQuery } from '../api/plans';
import { usePlanType } from '../period';
import { PeriodSwitch } from './period-switch';
import { PlanGrid } from './plan-grid';

function Message() {
  const { isAuthenticated } = useSession();
  const { data } = useQuery(plansQuery(isAuthenticated));
  if (!isAuthenticated || !data?.subscription_message) return null;
  return (
    <div className="container pt-4">
      <Notice tone={data.subscription_message_tone ?? 'danger'}>{data.subscription_message}</Notice>
    </div>
  );
}

/** What signed-in people should know of their own plan. */
export function PlanMessage() {
  return (
    <WithData>
      <Message />
    </WithData>
  );
}

function Plans() {
  const { isAuthenticated } = useSession();
  const [planType, setPlanType] = usePlanType();
  const { data } = useQuery(plansQuery(isAuthenticated));
  return (
    <>
      <PeriodSwitch value={planType} onChange={setPlanType} saving={data?.subscription_plan[0]?.yearly_discount} />
      <PlanGrid planType={planType} />
    </>
  );
}

/** The plans in force today, with the choice of the period. */
export function LivePlans() {
  return (
    <WithData>
      <Plans />
    </WithData>
  );
}
