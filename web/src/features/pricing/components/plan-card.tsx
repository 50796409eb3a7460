import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import CheckIcon from 'bootstrap-icons/icons/check2.svg?component';
import ChevronIcon from 'bootstrap-icons/icons/chevron-down.svg?component';
import { useId, useState } from 'react';
import { ButtonLink } from '@/ui/button';
import { useMayBuy } from '@/domain/owner-buys';
import { aboutAddOn } from '@/content/add-ons';
import { gstPercent } from '@/content/gst';
import type { components } from '@/lib/api/schema.gen';
import { periodOf, planPath, type PlanType } from '@/lib/plan-choice';

type Schemas = components['schemas'];

export interface PlanCardProps {
  plan: Schemas['Plan'];
  planType: PlanType;
}

function AddOns({ planName, addOns }: { planName: string; addOns: readonly Schemas['AddOn'][] }) {
  const [open, setOpen] = useState(false);
  const id = useId();
  if (addOns.length === 0) return null;
  return (
    <div className="plan-add-ons">
      <button
        type="button"
        className="plan-add-ons-toggle"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        <span>
          <Trans>
            Add-on features<span className="visually-hidden"> of {planName}</span>
          </Trans>
        </span>
        <ChevronIcon className="chevron" />
      </button>
      <ul id={id} className="plan-add-ons-list" hidden={!open}>
        {addOns.map((addOn) => (
          <li key={addOn.id}>
            {addOn.add_ons_service_name}
            <span className="text-muted d-block text-sm">{aboutAddOn(addOn.add_ons_service_name)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Links to the plan; hidden from users who cannot buy, as the notice above the plans explains. */
function BuyNow({ plan, planType }: PlanCardProps) {
  const mayBuy = useMayBuy();
  const period = periodOf(planType);
  const periodWord = period === 'annual' ? t`annual` : t`monthly`;
  if (!mayBuy) return null;
  return (
    <ButtonLink
      to={planPath({ planId: plan.id, planName: plan.plan_name, planType })}
      state={{ id: plan.id, 'plan-type': period }}
      variant={plan.most_popular ? 'primary' : 'outline'}
      block
    >
      <Trans>
        Buy Now
        <span className="visually-hidden">
          : Buy {plan.plan_name}, {periodWord}
        </span>
      </Trans>
    </ButtonLink>
  );
}

/** A plan with its "Starts with" price for the chosen period. */
export function PlanCard({ plan, planType }: PlanCardProps) {
  const id = useId();
  const service = plan.subscription_plan_service;
  const yearly = planType === 'yearly';
  return (
    <article className={`plan-card ${plan.most_popular ? 'plan-card-popular' : ''}`} aria-labelledby={id}>
      {plan.most_popular && <p className="plan-ribbon">{t`MOST POPULAR`}</p>}
      <div className="plan-head">
        <h2 id={id}>{plan.plan_name}</h2>
        {yearly && <span className="tag tag-success">{t`Save ${service.yearly_discount_amount}`}</span>}
      </div>
      <p className="plan-price">
        <span className="text-muted text-sm">{t`Starts with`}</span>
        {yearly && (
          <span className="text-muted tabular">
            <span className="visually-hidden">{t`List price`} </span>
            <s>{service.yearly_service_amount}</s>{' '}
          </span>
        )}
        <strong className="tabular">{yearly ? service.yearly_net_amount : service.monthly_service_amount}</strong>
        <span className="text-muted">{yearly ? t`/billed annually` : t`/billed monthly`}</span>
        <span className="plan-today tabular">
          {t`${yearly ? service.yearly_charge : service.monthly_charge} today, with ${gstPercent}% GST`}
        </span>
      </p>
      <BuyNow plan={plan} planType={planType} />
      <p className="plan-limit">
        <Trans>
          Up to <b>{service.franchise_limit}</b> franchises
        </Trans>
      </p>
      <ul className="plan-features" aria-label={t`Features of ${plan.plan_name}`}>
        {plan.subscription_plan_features.map(({ features }) => (
          <li key={features}>
            <CheckIcon />
            {features}
          </li>
        ))}
      </ul>
      <AddOns planName={plan.plan_name} addOns={service.subscription_plan_add_ons_services} />
    </article>
  );
}
