import { t } from '@lingui/core/macro';
import ledger from '../../../pkg/plan/delivery.json';
import { addOnKey, planIncluded, plans } from './catalogue';

/** Who delivers a part of a plan: the product itself, a connected system, or the operator's staff; a limit is only a number. */
export type DeliveredBy = 'product' | 'connected' | 'staff' | 'limit';

export interface Delivery {
  by: DeliveredBy;
  /** Working days after the payment. */
  days: number;
}

const items: Record<string, { how: string; days: number } | undefined> = ledger.items;

/** How the feature or add-on of this name is delivered; null for one that stands for another plan, or that the operator has added. */
export function deliveryOf(name: string): Delivery | null {
  const item = items[addOnKey(name) ?? name];
  return item ? { by: item.how as DeliveredBy, days: item.days } : null;
}

/**
 * The names with each "Everything in …" replaced by that plan's features, as plan_items of the database does. Features of the plans are those
 * of this release's price book.
 */
export function allParts(names: readonly string[], smaller = plans): string[] {
  const [first, ...others] = names;
  const of = planIncluded(
    first,
    smaller.map(({ name }) => name),
  );
  const at = smaller.findIndex(({ name }) => name === of);
  const inherited = smaller[at] ? allParts(smaller[at].features, smaller.slice(0, at)) : names.slice(0, 1);
  return [...new Set([...inherited, ...others])];
}

/** Which of the promised parts are not in the account itself, and where they run. */
export const scope = t`Orders, stock, shipping, your customers’ payments, commissions, rewards, branding and apps run in connected systems that we set up with you. In this account you keep your outlets, partners, domain, plan and invoices.`;

/** When the parts that are set up begin. */
export const setUpWhen = t`They do not work at once. Your dashboard shows the day of each part, and what we need from you.`;
