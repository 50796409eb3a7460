import type { SketchKind } from '@/components/site/screen-sketch';
import { claims } from './claims';

/** A feature as the features page describes it. */
export interface Feature {
  title: string;
  text: string;
  /** From which plan on, or where it is bought; empty for every plan. */
  from?: string;
}

export interface FeatureGroup {
  id: string;
  title: string;
  intro: string;
  /** A picture of the product, and the drawing that stands in for it. */
  shot: string;
  alt: string;
  sketch: SketchKind;
  features: Feature[];
}

/** Every feature of the platform, by what it is for. */
export const featureGroups: FeatureGroup[] = [
  {
    id: 'store',
    title: 'A store that is yours',
    intro: 'Your customers see your name from the first screen to the last e-mail.',
    shot: 'store-details',
    alt: 'The form in which a store gets its name, type and password',
    sketch: 'form',
    features: [
      { title: 'Own Android and iOS app', text: 'Your app in both stores, under your name and icon.' },
      { title: 'Custom domain', text: 'Proven by a DNS record and looked at again every day.' },
      { title: 'Branding without a developer', text: 'Colours, pictures and texts that you change yourself.' },
      { title: 'White-label apps for Android, iOS and web', text: 'No word of us anywhere.', from: 'Elite' },
      { title: 'Users app', text: 'An app for your customers, beside the one for your franchises.', from: 'Add-on' },
    ],
  },
  {
    id: 'franchisees',
    title: 'Franchises that start well',
    intro: 'A franchise that has its terms, its price list and its stock on the first day sells on the second.',
    shot: 'welcome',
    alt: 'The welcome screen with the list of what is set up and what is to do',
    sketch: 'help',
    features: [
      { title: 'Franchisee onboarding', text: 'Invite by mobile number; everything is in place at the first login.' },
      {
        title: 'Commission structures',
        text: 'What each level earns, per product or category, decided once.',
        from: 'Growth',
      },
      {
        title: 'Cross-selling and up-selling',
        text: 'The right suggestion at the counter and in the app.',
        from: 'Growth',
      },
      {
        title: 'Distribution model setup',
        text: 'Warehouses, distributors and outlets mapped with you.',
        from: 'Add-on',
      },
      { title: 'On-site launch support', text: 'Somebody of ours beside you at the opening.', from: 'Elite' },
    ],
  },
  {
    id: 'rewards',
    title: 'Customers who come back',
    intro: 'One reward program over all outlets, so that a customer of one is a customer of all.',
    shot: 'rewards',
    alt: 'A reward portal with gifts',
    sketch: 'cards',
    features: [
      { title: 'Reward programme', text: 'Points in every outlet, one balance.' },
      {
        title: 'Reward-portal sales earnings',
        text: 'Franchise owners earn from what is redeemed and bought there.',
        from: 'Pinnacle',
      },
      {
        title: `Marketplace of ${claims.marketplace.figure} products and services`,
        text: 'Something for every number of points.',
        from: 'Elite',
      },
      {
        title: 'Launch campaign',
        text: `Social media that reaches ${claims.campaign.figure} people, free of charge.`,
        from: 'Pinnacle',
      },
    ],
  },
  {
    id: 'operations',
    title: 'Operations without the telephone',
    intro: 'Orders, stock and money in one place, so that nobody has to ask for them.',
    shot: 'billing',
    alt: 'Renewals and billing: the payments, each with its invoice',
    sketch: 'table',
    features: [
      { title: 'Order and inventory management', text: 'All locations, as it happens.' },
      { title: 'Card payment gateway', text: 'Cards, net banking, UPI and wallets.' },
      { title: 'Shipping integration', text: 'Labels and tracking without copying an address.' },
      { title: 'Third-party app integration', text: 'Accounting, messaging and what else you use.', from: 'Growth' },
      { title: 'Priority support', text: 'Your question first in the queue.', from: 'Growth' },
      { title: 'Dedicated account manager', text: 'One person who knows your business.', from: 'Pinnacle' },
    ],
  },
];
