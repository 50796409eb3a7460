import { useQuery } from '@tanstack/react-query';
import { BoughtScope } from './bought-scope';
import { dashboardQuery } from './payment/api/dashboard';

export interface BoughtOfPlanProps {
  /** The bought plan's name; null for add-ons alone. */
  planName: string | null;
  /** The names of the bought add-ons; without them, all add-ons of the account. */
  addOns?: readonly string[];
}

/** After a purchase: names the parts that are set up. A plan that does not run gets the text that covers every plan. */
export function BoughtOfPlan({ planName, addOns }: BoughtOfPlanProps) {
  const { data, isPending } = useQuery(dashboardQuery);
  if (isPending) return null;
  if (!data || (planName !== null && planName !== data.subscription?.plan_name)) return <BoughtScope />;
  const features = planName === null ? [] : (data.subscription?.plan_features ?? []);
  return (
    <BoughtScope
      names={[
        ...features.map(({ features: name }) => name),
        ...(addOns ?? data.add_ons_services.map(({ add_ons_service_name: name }) => name)),
      ]}
    />
  );
}
