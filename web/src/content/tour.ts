import type { SketchKind } from '@/components/site/screen-sketch';

/** A step of the product tour, with its picture. */
export interface TourStep {
  id: string;
  title: string;
  text: string;
  shot: string;
  alt: string;
  sketch: SketchKind;
}

export const tourSteps: TourStep[] = [
  {
    id: 'sign-up',
    title: 'Sign up with your mobile',
    text: 'Enter your mobile number, e-mail address and a password, then the code we send by SMS.',
    shot: 'sign-up',
    alt: 'The sign-up form with its live list of password rules',
    sketch: 'form',
  },
  {
    id: 'address',
    title: 'Add your business address',
    text: 'Search for the place or type it in. Your State decides whether your invoice shows CGST and SGST, or IGST.',
    shot: 'address',
    alt: 'The business address with suggestions for a location',
    sketch: 'form',
  },
  {
    id: 'plan',
    title: 'Choose a plan',
    text: 'Four plans, three sizes each. Monthly, or annually with an additional 10% off.',
    shot: 'pricing',
    alt: 'The pricing page, its plans side by side',
    sketch: 'cards',
  },
  {
    id: 'details',
    title: 'See the bill before you pay it',
    text: 'Plan, add-ons, discount, GST, total and renewal date. You then pay on the payment provider’s secure page.',
    shot: 'payment-details',
    alt: 'The payment details, line by line',
    sketch: 'table',
  },
  {
    id: 'store',
    title: 'Name your store',
    text: 'Give it a name, a type and a password. Your store is live within a minute.',
    shot: 'store-details',
    alt: 'The store details with name, type and password',
    sketch: 'form',
  },
  {
    id: 'dashboard',
    title: 'Run it from one place',
    text: 'Plan and renewal date first, then store, domain, features and add-ons.',
    shot: 'dashboard',
    alt: 'The dashboard of a store',
    sketch: 'chart',
  },
  {
    id: 'outlets',
    title: 'Add outlets and invite partners',
    text: 'Each outlet with its city, partner, hours and status. Partners see theirs alone.',
    shot: 'outlets',
    alt: 'The outlets of a brand, each with city, partner and status',
    sketch: 'table',
  },
];
