import { t } from '@lingui/core/macro';
/** What each add-on is, by the name that it has in the catalogue. */
const addOns: readonly [RegExp, string][] = [
  [
    /^users app/i,
    t`A second app, for your customers, on Android and iOS. The app in every plan is for your franchises.`,
  ],
  [/^users extension/i, t`Room for 50,000 more customers in your store and apps.`],
  [/^franchise extension/i, t`Room for 10 more franchises on top of your plan’s limit.`],
  [/^distribution/i, t`We set up your distribution model with you: who sells what, where and on what terms.`],
];

/** An add-on in a sentence; empty for one that is not known here. */
export function aboutAddOn(name: string): string {
  return addOns.find(([pattern]) => pattern.test(name))?.[1] ?? '';
}

/** What a feature of a plan is, where its name alone could be taken for an add-on. */
export function aboutFeature(name: string): string {
  return /^own android and ios app/i.test(name)
    ? t`For you and your franchises; the one for your customers is an add-on.`
    : '';
}
