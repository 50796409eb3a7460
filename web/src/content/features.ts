import { t } from '@lingui/core/macro';
import { claims } from './claims';

/** A feature as the features page describes it. */
interface Feature {
  title: string;
  text: string;
  /** From which plan on, or where it is bought; empty for every plan. */
  from?: string;
}

export interface FeatureGroup {
  id: string;
  title: string;
  intro: string;
  /** A picture of the product; absent where the features run in a connected system. */
  picture?: { shot: string; alt: string };
  features: Feature[];
}

/** Every feature of the platform, by what it is for. */
export const featureGroups: FeatureGroup[] = [
  {
    id: 'store',
    title: t`A store that is yours`,
    intro: t`Your customers see your name from the first screen to the last e-mail.`,
    picture: { shot: 'store', alt: t`The overview of a store: outlets by status and the franchise limit` },
    features: [
      { title: t`Own Android and iOS app`, text: t`Your app in both stores, under your name and icon.` },
      {
        title: t`Custom domain`,
        text: t`We check its DNS records every day, and your dashboard shows it if one breaks.`,
      },
      { title: t`Branding without a developer`, text: t`Colours, pictures and texts that you change yourself.` },
      {
        title: t`White-label apps for Android, iOS and web`,
        text: t`Your brand everywhere; ours does not appear.`,
        from: 'Elite',
      },
      { title: t`Users app`, text: t`An app for your customers, beside the one for your franchises.`, from: 'Add-on' },
    ],
  },
  {
    id: 'franchisees',
    title: t`Franchises that start well`,
    intro: t`A franchise that has its terms, price list and stock on day one can sell on day two.`,
    picture: {
      shot: 'partners',
      alt: t`The partners of a brand, each with mobile number, role and number of outlets`,
    },
    features: [
      {
        title: t`Franchisee onboarding`,
        text: t`Invite a partner by mobile number; their outlets are there when they first sign in.`,
      },
      {
        title: t`Commission structures`,
        text: t`What each level earns, per product or category, decided once.`,
        from: 'Growth',
      },
      {
        title: t`Cross-selling and up-selling`,
        text: t`The right suggestion at the counter and in the app.`,
        from: 'Growth',
      },
      {
        title: t`Distribution model setup`,
        text: t`Warehouses, distributors and outlets mapped with you.`,
        from: 'Add-on',
      },
      { title: t`On-site launch support`, text: t`One of our team is with you at the opening.`, from: 'Elite' },
    ],
  },
  {
    id: 'rewards',
    title: t`Customers who come back`,
    intro: t`One reward programme across all outlets: a customer of one is a customer of all.`,
    features: [
      { title: t`Reward programme`, text: t`Points earned in any outlet, in one balance.` },
      {
        title: t`Reward-portal sales earnings`,
        text: t`Franchise owners earn from what is redeemed and bought there.`,
        from: 'Pinnacle',
      },
      {
        title: t`Marketplace of ${claims.marketplace.figure} products and services`,
        text: t`Something to redeem for every points balance.`,
        from: 'Elite',
      },
      {
        title: t`Launch campaign`,
        text: t`Social media that reaches ${claims.campaign.figure} people, free of charge.`,
        from: 'Pinnacle',
      },
    ],
  },
  {
    id: 'operations',
    title: t`Operations without the telephone`,
    intro: t`Orders, stock and money in one place, so nobody has to phone and ask.`,
    picture: {
      shot: 'outlets',
      alt: t`The outlets of a brand, each with city, partner and status`,
    },
    features: [
      { title: t`Order and inventory management`, text: t`All locations, in real time.` },
      { title: t`Card payment gateway`, text: t`Cards, net banking, UPI and wallets.` },
      { title: t`Shipping integration`, text: t`Labels and tracking without retyping addresses.` },
      {
        title: t`Third-party app integration`,
        text: t`Accounting, messaging and other tools you use.`,
        from: 'Growth',
      },
      { title: t`Priority support`, text: t`Your questions are answered first.`, from: 'Growth' },
      { title: t`Dedicated account manager`, text: t`One person who knows your business.`, from: 'Pinnacle' },
    ],
  },
];
