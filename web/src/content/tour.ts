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
    text: 'A mobile number, an e-mail address, a password. A code by SMS, and you are in.',
    shot: 'sign-up',
    alt: 'The sign-up form with its live list of password rules',
    sketch: 'form',
  },
  {
    id: 'address',
    title: 'Say where your business is',
    text: 'Search for the place or type it in. It decides whether your invoice shows CGST and SGST or IGST.',
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
    text: 'Plan, add-ons, discount, GST, total, renewal date. Then the payment provider’s secure page.',
    shot: 'payment-details',
    alt: 'The payment details, line by line',
    sketch: 'table',
  },
  {
    id: 'store',
    title: 'Name your store',
    text: 'A name, a type, a password. Your store is reachable within the minute.',
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
];
