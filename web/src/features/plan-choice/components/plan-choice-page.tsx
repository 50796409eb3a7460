import { t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { Breadcrumb } from '@/ui/breadcrumb';
import { ButtonLink } from '@/ui/button';
import { PageTitle } from '@/ui/page-title';
import { Async } from '@/ui/states';
import type { components } from '@/lib/api/schema.gen';
import type { PlanType } from '@/lib/plan-choice';
import { planDetailsQuery } from '../api/plan-details';
import { useChoice, usePlanParams } from '../choice';
import { OtherPlans } from './other-plans';
import { PlanChoice } from './plan-choice';
import '@/domain/payment/payment.scss';
import './plan-choice.scss';

function Skeletons() {
  return (
    <div className="plan-choice">
      <span className="skeleton skeleton-8" />
      <div className="stack">
        {['first', 'second', 'third'].map((name) => (
          <span key={name} className="skeleton skeleton-3" data-skeleton="service" />
        ))}
        {['fourth', 'fifth'].map((name) => (
          <span key={name} className="skeleton skeleton-4" data-skeleton="add-on" />
        ))}
      </div>
    </div>
  );
}

function Loaded({ plan, planType }: { plan: components['schemas']['PlanDetails']; planType: PlanType }) {
  const choice = useChoice(plan.subscription_plan_services, planType);
  return choice ? (
    <PlanChoice plan={plan} planType={planType} choice={choice} />
  ) : (
    <OtherPlans title={t`This plan has no service on offer.`} />
  );
}

/** Choose Your Plan: the services and add-ons of one plan, open to everyone. */
export function PlanChoicePage() {
  const { planId, planType } = usePlanParams();
  const plan = useQuery(planDetailsQuery(planId));
  return (
    <div className="container page">
      <Breadcrumb items={[{ label: t`Pricing`, to: '/pricing' }, { label: t`Choose Your Plan` }]} />
      <div className="mt-3">
        <PageTitle
          title={plan.data ? t`${plan.data.plan_name}: Choose Your Plan` : t`Choose Your Plan`}
          actions={<ButtonLink to="/pricing" variant="outline">{t`View Other Plans`}</ButtonLink>}
        >{t`Choose Your Plan`}</PageTitle>
      </div>
      <Async
        query={plan}
        what={t`the plan`}
        skeleton={<Skeletons />}
        missing={<OtherPlans title={t`This plan is no longer on offer.`} />}
      >
        {(data) => <Loaded key={planId} plan={data} planType={planType} />}
      </Async>
    </div>
  );
}
