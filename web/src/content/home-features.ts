import { claims } from './claims';

/** A feature of the platform, with the stage of growing that it belongs to. */
export interface FeatureCard {
  id: string;
  stage: string;
  title: string;
  description: string;
  image: 'store' | 'phone' | 'people' | 'gift' | 'percent' | 'truck' | 'compass' | 'market' | 'palette' | 'graph';
  /** In the highlighted grid, or in the bordered one. */
  arrangement: 'highlighted' | 'bordered';
}

export const features: FeatureCard[] = [
  {
    id: 'store',
    stage: 'Stage 1 · Set up',
    title: 'A store of your own',
    description: 'Your name, your domain, your colours. Live the same day, on web, Android and iOS.',
    image: 'store',
    arrangement: 'highlighted',
  },
  {
    id: 'onboard',
    stage: 'Stage 2 · Invite',
    title: 'Franchisee onboarding',
    description: 'A new franchise is set up in an afternoon, with its commissions and its price list.',
    image: 'people',
    arrangement: 'highlighted',
  },
  {
    id: 'commission',
    stage: 'Stage 3 · Sell',
    title: 'Commission structures',
    description: 'Decide once what each level earns, with cross-selling and up-selling built in.',
    image: 'percent',
    arrangement: 'highlighted',
  },
  {
    id: 'reward',
    stage: 'Stage 4 · Keep',
    title: 'Integrated reward programme',
    description: 'The largest of its kind: points from every outlet, redeemed in one reward portal.',
    image: 'gift',
    arrangement: 'highlighted',
  },
  {
    id: 'apps',
    stage: 'Apps',
    title: 'White-label apps',
    description: 'Android, iOS and web under your brand, without a developer on your payroll.',
    image: 'phone',
    arrangement: 'bordered',
  },
  {
    id: 'automation',
    stage: 'Automation',
    title: 'Orders and inventory',
    description: 'Orders, stock and dispatch of every location in one place, in real time.',
    image: 'truck',
    arrangement: 'bordered',
  },
  {
    id: 'explore',
    stage: 'And more',
    title: 'Everything in detail',
    description: 'Every feature of the platform in plain words, and the plan it comes with.',
    image: 'compass',
    arrangement: 'bordered',
  },
  {
    id: 'market',
    stage: 'Marketplace',
    title: `${claims.marketplace.figure} things to redeem`,
    description: 'A marketplace where your customers redeem their reward points. Depends on the plan.',
    image: 'market',
    arrangement: 'bordered',
  },
  {
    id: 'brand',
    stage: 'Branding',
    title: 'Yours to change',
    description: 'Websites, apps and branding that you change yourself, without waiting for anyone.',
    image: 'palette',
    arrangement: 'bordered',
  },
  {
    id: 'earnings',
    stage: 'Earnings',
    title: 'More than the margin',
    description: 'Franchise owners earn extra from sales in the reward portal. Depends on the plan.',
    image: 'graph',
    arrangement: 'bordered',
  },
];
