import { useQuery } from '@tanstack/react-query';
import { latePart } from '@/start/page/late';
import { Notice } from '@/ui/notice';
import { WithData } from '@/domain/with-data';
import { OwnerBuysNotice } from '@/domain/owner-buys';
import { useHydrated, useSession } from '@/lib/session/session';
import { plansQuery } from '@/domain/plan-comparison/api/plans';
import { bookPlans } from '@/domain/plan-comparison/book';
import { usePlanType } from '../period';
import { PeriodSwitch } from './period-switch';
import { PlanGrid } from './plan-grid';

const LeavingNotice = latePart(async () => (await import('@/domain/erasure/leaving')).LeavingNotice);
const TrialMessage = latePart(async () => (await import('./trial-message')).TrialMessage);
const ConfirmingPayments = latePart(
  async () => (await import('@/domain/payment/confirming-notice')).ConfirmingPayments,
);
const RenewalNotice = latePart(async () => (await import('@/domain/payment/renewal-notice')).RenewalNotice);

function Message() {
  const { isAuthenticated, isActive, eraseOn, planEnded, role } = useSession();
  const { data } = useQuery(plansQuery(isAuthenticated));
  const message = data?.subscription_message;
  if (!isAuthenticated) return null;
  if (role !== 'owner')
    return (
      <div className="container pricing-messages">
        <OwnerBuysNotice />
      </div>
    );
  return (
    <div className="container pricing-messages">
      <ConfirmingPayments />
      {eraseOn && <LeavingNotice />}
      {message && !planEnded && <Notice tone={data.subscription_message_tone ?? 'danger'}>{message}</Notice>}
      {planEnded && (
        <TrialMessage>
          {message && <Notice tone={data.subscription_message_tone ?? 'danger'}>{message}</Notice>}
        </TrialMessage>
      )}
      {(planEnded || (message && !isActive)) && (
        <div className="mt-3">
          <RenewalNotice />
        </div>
      )}
    </div>
  );
}

/** The message to signed-in people about their own plan. */
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
  const hydrated = useHydrated();
  const saving = ((hydrated && data?.subscription_plan[0]) || bookPlans[0])?.yearly_discount;
  return (
    <>
      <PeriodSwitch value={planType} onChange={setPlanType} saving={saving} />
      <PlanGrid planType={planType} />
    </>
  );
}

/** The current plans, with the choice of the billing period. */
export function LivePlans() {
  return (
    <WithData>
      <Plans />
    </WithData>
  );
}
