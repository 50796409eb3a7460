import book from '../../../pkg/plan/catalogue.json';

/** An amount of the price book as shown, as the server shows it: in Indian grouping, with paise only where there are any. */
export function rupees(paise: number): string {
  const whole = String(Math.trunc(paise / 100));
  const last = whole.slice(-3);
  const rest = whole.slice(0, -3).replace(/\B(?=(\d{2})+$)/g, ',');
  const part = paise % 100 ? `.${String(paise % 100).padStart(2, '0')}` : '';
  return `₹${rest ? `${rest},${last}` : last}${part}`;
}

/** The plans as the price book that comes with this release has them; the pricing page shows those in force today. */
export const plans = book.plans.map((plan) => ({
  name: plan.plan,
  mostPopular: plan.most_popular,
  features: plan.features,
  services: plan.services.map((service) => ({
    tier: service.tier,
    franchises: service.franchise_limit,
    monthlyPaise: service.monthly_paise,
    yearlyPaise: service.yearly_paise,
    discountPaise: service.yearly_discount_paise,
    allInPaise: service.all_in_yearly_paise,
    addOns: service.add_ons.map((addOn) => ({
      key: addOn.key,
      name: addOn.name,
      limit: addOn.limit,
      monthlyPaise: addOn.monthly_paise ?? 0,
      yearlyPaise: addOn.yearly_paise ?? 0,
      oncePaise: addOn.once_paise ?? 0,
    })),
  })),
}));

const keys = new Map(
  plans.flatMap(({ services }) =>
    services.flatMap(({ addOns }) => addOns.map(({ name, key }) => [name, key] as const)),
  ),
);

/** The key of the add-on of this name; undefined for one that the operator has added. */
export const addOnKey = (name: string): string | undefined => keys.get(name);

/** The plan, of those named, whose features the first feature of a larger plan stands for: it names that plan. */
export function planIncluded(first: string | undefined, names: readonly string[]): string | undefined {
  return names.filter((name) => first?.includes(name)).sort((a, b) => b.length - a.length)[0];
}
