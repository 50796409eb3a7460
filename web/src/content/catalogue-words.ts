import { t } from '@lingui/core/macro';

/**
 * What the price book calls its features and add-ons (pkg/plan/catalogue.json), in the words of this language. The
 * names of plans and tiers are names and stay.
 */
const words: Record<string, string> = {
  'Own Android and iOS app': t`Own Android and iOS app`,
  'Custom domain': t`Custom domain`,
  'Reward programme': t`Reward programme`,
  'Order and inventory management': t`Order and inventory management`,
  'Card payment gateway': t`Card payment gateway`,
  'Shipping integration': t`Shipping integration`,
  'Franchisee onboarding': t`Franchisee onboarding`,
  'E-mail support': t`E-mail support`,
  'Everything in Start up': t`Everything in Start up`,
  'Third-party app integration': t`Third-party app integration`,
  'Commission structures': t`Commission structures`,
  'Cross-selling and up-selling': t`Cross-selling and up-selling`,
  'Priority support': t`Priority support`,
  'Everything in Growth': t`Everything in Growth`,
  'Reward-portal sales earnings': t`Reward-portal sales earnings`,
  'Free social media campaign reaching 100K+ people': t`Free social media campaign reaching 100K+ people`,
  'Dedicated account manager': t`Dedicated account manager`,
  'Everything in Pinnacle': t`Everything in Pinnacle`,
  'White-label apps for Android, iOS and web': t`White-label apps for Android, iOS and web`,
  'Marketplace of 20 crore+ products and services': t`Marketplace of 20 crore+ products and services`,
  'On-site launch support': t`On-site launch support`,
  'Users app (Android and iOS)': t`Users app (Android and iOS)`,
  'Users extension': t`Users extension`,
  'Franchise extension': t`Franchise extension`,
  'Distribution model setup': t`Distribution model setup`,
};

/** A name of the price book in this language; one that is not known here stays as it is. */
export const catalogueWord = (name: string): string => words[name] ?? name;

/** What the price book needs from a customer (pkg/plan/delivery.json), in the words of this language. */
const needs: Record<string, string> = {
  'Your logo, an app icon, and access to your Google Play and App Store accounts.': t`Your logo, an app icon, and access to your Google Play and App Store accounts.`,
  'Link your domain.': t`Link your domain.`,
  'Your rules for earning and using points.': t`Your rules for earning and using points.`,
  'Your products with prices and stock.': t`Your products with prices and stock.`,
  'The bank account that receives your customers’ payments.': t`The bank account that receives your customers’ payments.`,
  'The address that you ship from, and your courier accounts.': t`The address that you ship from, and your courier accounts.`,
  'Your first partner has to join: invite them.': t`Your first partner has to join: invite them.`,
  'The names of the apps to connect, and an account in each.': t`The names of the apps to connect, and an account in each.`,
  'What each level earns, per product or category.': t`What each level earns, per product or category.`,
  'Your brand material and the date of your launch.': t`Your brand material and the date of your launch.`,
  'Your logo, your brand colours and the names of the apps.': t`Your logo, your brand colours and the names of the apps.`,
  'The address and the date of your opening.': t`The address and the date of your opening.`,
  'How you distribute today: suppliers, warehouses and routes.': t`How you distribute today: suppliers, warehouses and routes.`,
};

/** A need of the price book in this language; null for one that staff wrote. */
export const needWord = (need: string): string | null => needs[need] ?? null;
