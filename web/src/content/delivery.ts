import { t } from '@lingui/core/macro';

/** Where a part of a plan works: in the account itself, in a system that is connected to it, or as work of the operator's staff. */
export type Delivery = 'account' | 'connected' | 'staff';

const CONNECTED = [
  'Own Android and iOS app',
  'Reward programme',
  'Order and inventory management',
  'Card payment gateway',
  'Shipping integration',
  'Third-party app integration',
  'Commission structures',
  'Cross-selling and up-selling',
  'Reward-portal sales earnings',
  'White-label apps for Android, iOS and web',
  'Marketplace of 20 crore+ products and services',
  'Users app (Android and iOS)',
  'Users extension',
];
const BY_STAFF = [
  'Free social media campaign reaching 100K+ people',
  'Dedicated account manager',
  'On-site launch support',
  'Distribution model setup',
];
const IN_ACCOUNT = [
  'Custom domain',
  'Franchisee onboarding',
  'E-mail support',
  'Priority support',
  'Franchise extension',
  'Everything in Start up',
  'Everything in Growth',
  'Everything in Pinnacle',
];

/** Where the feature or add-on of this name works; null for one that the operator has added. */
export function deliveryOf(name: string): Delivery | null {
  if (CONNECTED.includes(name)) return 'connected';
  if (BY_STAFF.includes(name)) return 'staff';
  return IN_ACCOUNT.includes(name) ? 'account' : null;
}

/** Which of the promised parts are not in the account itself, and where they run. */
export const scope = t`Orders, stock, shipping, your customers’ payments, commissions, rewards, branding and apps run in connected systems that we set up with you. In this account you keep your outlets, partners, domain, plan and invoices.`;

/** When the parts that are set up begin. */
export const setUpWhen = t`They do not work at once: after your payment we agree with you what we need and the dates.`;
