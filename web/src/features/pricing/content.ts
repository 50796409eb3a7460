import AppIcon from 'bootstrap-icons/icons/phone.svg?component';
import CardIcon from 'bootstrap-icons/icons/credit-card.svg?component';
import DomainIcon from 'bootstrap-icons/icons/globe2.svg?component';
import GiftIcon from 'bootstrap-icons/icons/gift.svg?component';
import GraphIcon from 'bootstrap-icons/icons/graph-up-arrow.svg?component';
import PeopleIcon from 'bootstrap-icons/icons/people.svg?component';
import PluginIcon from 'bootstrap-icons/icons/plug.svg?component';
import BoxIcon from 'bootstrap-icons/icons/box-seam.svg?component';
import TruckIcon from 'bootstrap-icons/icons/truck.svg?component';
import type { ComponentType, SVGProps } from 'react';

type Icon = ComponentType<SVGProps<SVGSVGElement>>;

export const heroPoints: { icon: Icon; text: string }[] = [
  { icon: AppIcon, text: 'Own Android and iOS app' },
  { icon: DomainIcon, text: 'Custom domain' },
  { icon: PluginIcon, text: 'Third-party app integration' },
  { icon: CardIcon, text: 'Card payment gateway' },
  { icon: TruckIcon, text: 'Shipping integration' },
];

export const featureCards: { icon: Icon; title: string; text: string }[] = [
  {
    icon: GiftIcon,
    title: 'Integrated reward programme',
    text: 'Reward points that customers collect in every franchise and redeem in one reward portal, with a share for the franchise owner.',
  },
  {
    icon: PeopleIcon,
    title: 'Franchisee onboarding',
    text: 'Commission structures, cross-selling and up-selling, set once and the same for everybody who joins.',
  },
  {
    icon: BoxIcon,
    title: 'Inventory and automation',
    text: 'Stock and orders of all locations in one place, without sending lists back and forth.',
  },
  {
    icon: GraphIcon,
    title: 'Real-time insight',
    text: 'Sales, campaigns and audience of each franchise, compared while there is still time to act.',
  },
];
