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
    description: t`Under your own name and domain.`,
    image: 'store',
    arrangement: 'highlighted',
  },
  {
    id: 'onboard',
    stage: t`Stage 2 · Invite`,
    title: t`Franchisee onboarding`,
    description: t`Invite a partner by mobile number and assign outlets.`,
    image: 'people',
    arrangement: 'highlighted',
  },
  {
    id: 'commission',
    stage: t`Stage 3 · Sell`,
    title: t`Commission structures`,
    description: t`What each level earns, with cross-selling and up-selling.`,
    image: 'percent',
    arrangement: 'highlighted',
  },
  {
    id: 'reward',
    stage: t`Stage 4 · Keep`,
    title: t`Integrated reward programme`,
    description: t`The largest of its kind: one balance across outlets.`,
    image: 'gift',
    arrangement: 'highlighted',
  },
  {
    id: 'apps',
    stage: t`Apps`,
    title: t`White-label apps`,
    description: t`Android, iOS and web under your brand.`,
    image: 'phone',
    arrangement: 'bordered',
  },
  {
    id: 'automation',
    stage: t`Automation`,
    title: t`Orders and inventory`,
    description: t`Orders, stock and dispatch of every location.`,
    image: 'truck',
    arrangement: 'bordered',
  },
  {
    id: 'explore',
    stage: t`And more`,
    title: t`Everything in detail`,
    description: t`Every feature, with the plan it comes with.`,
    image: 'compass',
    arrangement: 'bordered',
  },
  {
    id: 'market',
    stage: t`Marketplace`,
    title: t`${claims.marketplace.figure} things to redeem`,
    description: t`For reward points. Depends on the plan.`,
    image: 'market',
    arrangement: 'bordered',
  },
  {
    id: 'brand',
    stage: t`Branding`,
    title: t`Yours to change`,
    description: t`Websites, apps and branding that you change yourself.`,
    image: 'palette',
    arrangement: 'bordered',
  },
  {
    id: 'earnings',
    stage: t`Earnings`,
    title: t`More than the margin`,
    description: t`Owners earn from reward-portal sales. Depends on the plan.`,
    image: 'graph',
    arrangement: 'bordered',
  },
];
