import { t } from '@lingui/core/macro';
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
    stage: t`Stage 1 · Set up`,
    title: t`A store of your own`,
    description: t`Your name, your domain, your colours. Live the same day, on web, Android and iOS.`,
    image: 'store',
    arrangement: 'highlighted',
  },
  {
    id: 'onboard',
    stage: t`Stage 2 · Invite`,
    title: t`Franchisee onboarding`,
    description: t`A new franchise is set up in an afternoon, with its commissions and its price list.`,
    image: 'people',
    arrangement: 'highlighted',
  },
  {
    id: 'commission',
    stage: t`Stage 3 · Sell`,
    title: t`Commission structures`,
    description: t`Decide once what each level earns, with cross-selling and up-selling built in.`,
    image: 'percent',
    arrangement: 'highlighted',
  },
  {
    id: 'reward',
    stage: t`Stage 4 · Keep`,
    title: t`Integrated reward programme`,
    description: t`The largest of its kind: points from every outlet, redeemed in one reward portal.`,
    image: 'gift',
    arrangement: 'highlighted',
  },
  {
    id: 'apps',
    stage: t`Apps`,
    title: t`White-label apps`,
    description: t`Android, iOS and web under your brand, without a developer on your payroll.`,
    image: 'phone',
    arrangement: 'bordered',
  },
  {
    id: 'automation',
    stage: t`Automation`,
    title: t`Orders and inventory`,
    description: t`Orders, stock and dispatch of every location in one place, in real time.`,
    image: 'truck',
    arrangement: 'bordered',
  },
  {
    id: 'explore',
    stage: t`And more`,
    title: t`Everything in detail`,
    description: t`Every feature of the platform in plain words, and the plan it comes with.`,
    image: 'compass',
    arrangement: 'bordered',
  },
  {
    id: 'market',
    stage: t`Marketplace`,
    title: t`${claims.marketplace.figure} things to redeem`,
    description: t`A marketplace where your customers redeem their reward points. Depends on the plan.`,
    image: 'market',
    arrangement: 'bordered',
  },
  {
    id: 'brand',
    stage: t`Branding`,
    title: t`Yours to change`,
    description: t`Websites, apps and branding that you change yourself, without waiting for anyone.`,
    image: 'palette',
    arrangement: 'bordered',
  },
  {
    id: 'earnings',
    stage: t`Earnings`,
    title: t`More than the margin`,
    description: t`Franchise owners earn extra from sales in the reward portal. Depends on the plan.`,
    image: 'graph',
    arrangement: 'bordered',
  },
];
