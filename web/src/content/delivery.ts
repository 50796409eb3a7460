import { t } from '@lingui/core/macro';
import ledger from '../../../pkg/plan/delivery.json';
import { plans } from './catalogue';

/** Who delivers a part of a plan: the product itself, a connected system, or the operator's staff; a limit is only a number. */
export type DeliveredBy = 'product' | 'connected' | 'staff' | 'limit';

export interface Delivery {
  by: DeliveredBy;
  /** Working days after the payment. */
  days: number;
}

const keys = new Map(
  plans.flatMap(({ services }) =>
    services.flatMap(({ addOns }) => addOns.map(({ name, key }) => [name, key] as const)),
  ),
);

/** The key of the add-on of this name; undefined for one that the operator has added. */
export const addOnKey = (name: string): string | undefined => keys.get(name);

const items: Record<string, { how: string; days: number } | undefined> = ledger.items;

/** How the feature or add-on of this name is delivered; null for one that stands for another plan, or that the operator has added. */
export function deliveryOf(name: string): Delivery | null {
  const item = items[keys.get(name) ?? name];
  return item ? { by: item.how as DeliveredBy, days: item.days } : null;
}

/**
 * The plan, of those named, whose features the first feature of a plan stands for: it names that plan, and nothing of its own is delivered.
 */
export function planIncluded(first: string | undefined, names: readonly string[]): string | undefined {
  if (!first || deliveryOf(first)) return undefined;
  return names.filter((name) => first.includes(name)).sort((a, b) => b.length - a.length)[0];
}

const planNames = plans.map(({ name }) => name);

/**
 * The names with each "Everything in …" replaced by that plan's features, as plan_items of the database does. Features of the plans are those
 * of this release's price book.
 */
export function allParts(names: readonly string[]): string[] {
  const [first, ...others] = names;
  const included = plans.find(({ name }) => name === planIncluded(first, planNames));
  const inherited = included ? allParts(included.features) : names.slice(0, 1);
  return [...new Set([...inherited, ...others])];
}

/** Which of the promised parts are not in the account itself, and where they run. */
export const scope = t`Orders, stock, shipping, your customers’ payments, commissions, rewards, branding and apps run in connected systems that we set up with you. In this account you keep your outlets, partners, domain, plan and invoices.`;

/** When the parts that are set up begin. */
export const setUpWhen = t`They do not work at once. Your dashboard shows the day of each part, and what we need from you.`;
