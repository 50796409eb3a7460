import { t } from '@lingui/core/macro';

/** A step of the product tour, with its picture. */
export interface TourStep {
  id: string;
  title: string;
  text: string;
  shot: string;
  alt: string;
}

export const tourSteps: TourStep[] = [
  {
    id: 'sign-up',
    title: t`Sign up with your mobile`,
    text: t`Enter your mobile number, e-mail address and a password, then the code we send by SMS.`,
    shot: 'sign-up',
    alt: t`The sign-up form with its live list of password rules`,
  },
  {
    id: 'address',
    title: t`Add your business address`,
    text: t`Search for the place or type it in. Your State decides whether your invoice shows CGST and SGST, or IGST.`,
    shot: 'address',
    alt: t`The business address with suggestions for a location`,
  },
  {
    id: 'plan',
    title: t`Choose a plan`,
    text: t`Four plans, three sizes each. Monthly, or annually with an additional 10% off.`,
    shot: 'pricing',
    alt: t`The pricing page, its plans side by side`,
  },
  {
    id: 'details',
    title: t`See the bill before you pay it`,
    text: t`Plan, add-ons, discount, GST, total and renewal date. You then pay on the payment provider’s secure page.`,
    shot: 'payment-details',
    alt: t`The payment details, line by line`,
  },
  {
    id: 'store',
    title: t`Name your store`,
    text: t`Give it a name, a type and a password. Your store is live within a minute.`,
    shot: 'store-details',
    alt: t`The store details with name, type and password`,
  },
  {
    id: 'dashboard',
    title: t`Run it from one place`,
    text: t`Plan and renewal date first, then store, domain, features and add-ons.`,
    shot: 'dashboard',
    alt: t`The dashboard of a store`,
  },
  {
    id: 'outlets',
    title: t`Add outlets and invite partners`,
    text: t`Each outlet with its city, partner, hours and status. Partners see theirs alone.`,
    shot: 'outlets',
    alt: t`The outlets of a brand, each with city, partner and status`,
  },
];
