import { t } from '@lingui/core/macro';
import type { components } from '@/lib/api/schema.gen';
import type { PlanType } from '@/lib/plan-choice';

type PlanService = components['schemas']['PlanService'];

export interface ServiceListProps {
  services: readonly PlanService[];
  chosen: string;
  planType: PlanType;
  onChoose: (id: string) => void;
}

/** The plan's tiers, one of which is always chosen. */
export function ServiceList({ services, chosen, planType, onChoose }: ServiceListProps) {
  const yearly = planType === 'yearly';
  return (
    <fieldset className="choice-group">
      <legend>
        <h2>{t`Choose your service`}</h2>
      </legend>
      <div className="service-list">
        {services.map((service) => {
          const price = yearly ? service.yearly_net_amount : service.monthly_service_amount;
          return (
            <label key={service.id} className="choice-card">
              <input
                type="radio"
                name="service"
                value={service.id}
                checked={service.id === chosen}
                onChange={() => onChoose(service.id)}
              />
              <span className="choice-text choice-name">
                {service.service_name}
                <span className="text-muted text-sm">{t`up to ${service.franchise_limit} franchises`}</span>
              </span>
              <span className="choice-price">
                <b className="text-lg tabular">{price}</b>
                <span className="text-muted text-sm">{yearly ? t`per year` : t`per month`}</span>
                <span className="text-muted text-sm tabular">{t`${yearly ? service.yearly_charge : service.monthly_charge} with GST`}</span>
              </span>
            </label>
          );
        })}
      </div>
    </fieldset>
  );
}
