import { t } from '@lingui/core/macro';
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
  { icon: AppIcon, text: t`Own Android and iOS app` },
  { icon: DomainIcon, text: t`Custom domain` },
  { icon: PluginIcon, text: t`Third-party app integration` },
  { icon: CardIcon, text: t`Card payment gateway` },
  { icon: TruckIcon, text: t`Shipping integration` },
];

export const featureCards: { icon: Icon; title: string; text: string }[] = [
  {
    icon: GiftIcon,
    title: t`Integrated reward programme`,
    text: t`Reward points that customers collect in every franchise and redeem in one reward portal, with a share for the franchise owner.`,
  },
  {
    icon: PeopleIcon,
    title: t`Franchisee onboarding`,
    text: t`Commission structures, cross-selling and up-selling, set once and the same for everybody who joins.`,
  },
  {
    icon: BoxIcon,
    title: t`Inventory and automation`,
    text: t`Stock and orders of all locations in one place, without sending lists back and forth.`,
  },
  {
    icon: GraphIcon,
    title: t`Real-time insight`,
    text: t`Sales, campaigns and audience of each franchise, compared while there is still time to act.`,
  },
];
