import { t } from '@lingui/core/macro';
import { addOnKey, plans } from './catalogue';

/** What each add-on is, by its key in the price book. */
const addOns: Record<string, string | undefined> = {
  users_app: t`A second app, for your customers, on Android and iOS. The app in every plan is for your franchises.`,
  users_extension: t`Room for 50,000 more customers in your store and apps.`,
  franchise_extension: t`Room for 10 more franchises on top of your plan’s limit.`,
  distribution_setup: t`We set up your distribution model with you: who sells what, where and on what terms.`,
};

/** An add-on in a sentence; empty for one that the operator has added. */
export const aboutAddOn = (name: string): string => addOns[addOnKey(name) ?? ''] ?? '';

/** The app in every plan, the first feature of the price book. */
const ownApp = plans[0]?.features[0];

/** What a feature of a plan is, where its name alone could be taken for an add-on. */
export function aboutFeature(name: string): string {
  return name === ownApp ? t`For you and your franchises; the one for your customers is an add-on.` : '';
}
