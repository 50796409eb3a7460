import { plans, rupees } from '@/content/catalogue';
import { gstPercent } from '@/content/gst';
import type { components } from '@/lib/api/schema.gen';
import { planSlug } from '@/lib/plan-choice';

type Plan = components['schemas']['Plan'];

const withGst = (paise: number): string => rupees(Math.round((paise * (100 + gstPercent)) / 100));

/**
 * The plans of this release's price book, in the server's format: for prerendered pages, and until the live plans are loaded. The server
 * assigns a plan's id; the name replaces it here.
 */
export const bookPlans: readonly Plan[] = plans.flatMap(({ name, mostPopular, features, services: [service] }) => {
  if (!service) return [];
  const { monthlyPaise, yearlyPaise, discountPaise } = service;
  const net = yearlyPaise - discountPaise;
  return {
    id: planSlug(name),
    plan_name: name,
    most_popular: mostPopular,
    yearly_discount: `${(discountPaise * 100) / yearlyPaise}%`,
    subscription_plan_features: features.map((feature) => ({ features: feature })),
    subscription_plan_service: {
      id: service.tier,
      service_name: service.tier,
      monthly_service_amount: rupees(monthlyPaise),
      yearly_service_amount: rupees(yearlyPaise),
      yearly_discount_amount: rupees(discountPaise),
      monthly_service_amount_value: monthlyPaise / 100,
      yearly_service_amount_value: yearlyPaise / 100,
      yearly_discount_amount_value: discountPaise / 100,
      monthly_charge: withGst(monthlyPaise),
      yearly_net_amount: rupees(net),
      yearly_charge: withGst(net),
      all_in_yearly_amount: rupees(service.allInPaise),
      franchise_limit: service.franchises,
      subscription_plan_add_ons_services: service.addOns.map(
        ({ key, name: addOn, limit, monthlyPaise, yearlyPaise, oncePaise }) => {
          const [month, year] = oncePaise ? [oncePaise, oncePaise] : [monthlyPaise, yearlyPaise];
          return {
            id: key,
            add_ons_service_name: addOn,
            limit,
            monthly_amount: rupees(month),
            yearly_amount: rupees(year),
            monthly_amount_value: month / 100,
            yearly_amount_value: year / 100,
            charged_once: oncePaise > 0,
          };
        },
      ),
    },
  };
});
