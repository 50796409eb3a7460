import { t } from '@lingui/core/macro';
import CheckIcon from 'bootstrap-icons/icons/check2.svg?component';
import { aboutFeature } from '@/content/add-ons';
import { gstPercent } from '@/content/gst';
import type { components } from '@/lib/api/schema.gen';
import type { PlanType } from '@/lib/plan-choice';

export interface PlanSummaryProps {
  plan: components['schemas']['PlanDetails'];
  planType: PlanType;
}

function Feature({ name }: { name: string }) {
  const about = aboutFeature(name);
  return (
    <span>
      {name}
      {about && <span className="text-muted d-block text-sm">{about}</span>}
    </span>
  );
}

/** The plan at a glance: name, starting price, features. */
export function PlanSummary({ plan, planType }: PlanSummaryProps) {
  const first = plan.subscription_plan_services[0];
  const yearly = planType === 'yearly';
  return (
    <aside className="panel panel-surface plan-summary" aria-label={t`The plan ${plan.plan_name}`}>
      <p className="eyebrow">{t`Your plan`}</p>
      <h2>{plan.plan_name}</h2>
      {first && (
        <p className="plan-summary-price">
          <span className="text-muted text-sm">{t`Starts with`}</span>
          <strong className="tabular">{yearly ? first.yearly_net_amount : first.monthly_service_amount}</strong>
          <span className="text-muted">{yearly ? t`/billed annually` : t`/billed monthly`}</span>
          <span className="text-muted text-sm tabular">{t`${yearly ? first.yearly_charge : first.monthly_charge} today, with ${gstPercent}% GST`}</span>
        </p>
      )}
      {yearly && (
        <p className="text-success text-sm fw-bold">{t`${plan.yearly_discount} off for annual payment, taken off already`}</p>
      )}
      <ul className="tick-list" aria-label={t`Features of ${plan.plan_name}`}>
        {plan.subscription_plan_features.map(({ features }) => (
          <li key={features}>
            <CheckIcon />
            <Feature name={features} />
          </li>
        ))}
      </ul>
    </aside>
  );
}
