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
      { title: 'Custom domain', text: 'We check its DNS records every day and tell you if one breaks.' },
      { title: 'Branding without a developer', text: 'Colours, pictures and texts that you change yourself.' },
      {
        title: 'White-label apps for Android, iOS and web',
        text: 'Your brand everywhere; ours does not appear.',
        from: 'Elite',
      },
      { title: 'Users app', text: 'An app for your customers, beside the one for your franchises.', from: 'Add-on' },
    ],
  },
  {
    id: 'franchisees',
    title: 'Franchises that start well',
    intro: 'A franchise that has its terms, price list and stock on day one can sell on day two.',
    shot: 'partners',
    alt: 'The partners of a brand, each with mobile number, role and number of outlets',
    sketch: 'people',
    features: [
      {
        title: 'Franchisee onboarding',
        text: 'Invite a partner by mobile number; their outlets are there when they first sign in.',
      },
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
      { title: 'On-site launch support', text: 'One of our team is with you at the opening.', from: 'Elite' },
    ],
  },
  {
    id: 'rewards',
    title: 'Customers who come back',
    intro: 'One reward programme across all outlets: a customer of one is a customer of all.',
    shot: 'rewards',
    alt: 'A reward portal with gifts',
    sketch: 'cards',
    features: [
      { title: 'Reward programme', text: 'Points earned in any outlet, in one balance.' },
      {
        title: 'Reward-portal sales earnings',
        text: 'Franchise owners earn from what is redeemed and bought there.',
        from: 'Pinnacle',
      },
      {
        title: `Marketplace of ${claims.marketplace.figure} products and services`,
        text: 'Something to redeem for every points balance.',
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
    intro: 'Orders, stock and money in one place, so nobody has to phone and ask.',
    shot: 'outlets',
    alt: 'The outlets of a brand, each with city, partner and status',
    sketch: 'table',
    features: [
      { title: 'Order and inventory management', text: 'All locations, in real time.' },
      { title: 'Card payment gateway', text: 'Cards, net banking, UPI and wallets.' },
      { title: 'Shipping integration', text: 'Labels and tracking without retyping addresses.' },
      { title: 'Third-party app integration', text: 'Accounting, messaging and other tools you use.', from: 'Growth' },
      { title: 'Priority support', text: 'Your questions are answered first.', from: 'Growth' },
      { title: 'Dedicated account manager', text: 'One person who knows your business.', from: 'Pinnacle' },
    ],
  },
];
