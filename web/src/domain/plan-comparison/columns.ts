import { planIncluded } from '@/content/catalogue';
import type { components } from '@/lib/api/schema.gen';
import { planPath, type PlanType } from '@/lib/plan-choice';

type LivePlan = components['schemas']['Plan'];

/** One plan of the comparison, in words that can be shown. */
export interface Column {
  name: string;
  mostPopular: boolean;
  /** Of its first tier. */
  franchises: string;
  monthly: string;
  /** For a year, the saving taken off. */
  yearly: string;
  /** All features, including those inherited from smaller plans. */
  features: readonly string[];
  /** The page where it is chosen. */
  to: string;
}

/** The features of each plan with those it takes over, by the plan's name. */
function allFeatures(plans: readonly { name: string; features: readonly string[] }[]): Map<string, string[]> {
  const all = new Map<string, string[]>();
  for (const { name, features } of plans) {
    const included = all.get(planIncluded(features[0], [...all.keys()]) ?? '');
    all.set(name, included ? [...included, ...features.slice(1)] : [...features]);
  }
  return all;
}

/** The plans as columns. */
export function columnsOf(plans: readonly LivePlan[], planType: PlanType): Column[] {
  const features = allFeatures(
    plans.map((plan) => ({
      name: plan.plan_name,
      features: plan.subscription_plan_features.map(({ features: feature }) => feature),
    })),
  );
  return plans.map(({ id, plan_name: name, most_popular: mostPopular, subscription_plan_service: service }) => ({
    name,
    mostPopular,
    franchises: String(service.franchise_limit),
    monthly: service.monthly_service_amount,
    yearly: service.yearly_net_amount,
    features: features.get(name) ?? [],
    to: planPath({ planId: id, planName: name, planType }),
  }));
}

/** Every feature that some plan has, in the order in which the plans bring them. */
export const featuresOf = (columns: readonly Column[]) => [...new Set(columns.flatMap(({ features }) => features))];
