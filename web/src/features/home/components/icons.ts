import AwardIcon from 'bootstrap-icons/icons/award.svg?component';
import BagIcon from 'bootstrap-icons/icons/bag-heart.svg?component';
import BoxesIcon from 'bootstrap-icons/icons/boxes.svg?component';
import BuildingIcon from 'bootstrap-icons/icons/building-gear.svg?component';
import CardIcon from 'bootstrap-icons/icons/credit-card.svg?component';
import ChatIcon from 'bootstrap-icons/icons/chat-left-dots.svg?component';
import ClockIcon from 'bootstrap-icons/icons/clock-history.svg?component';
import CoinsIcon from 'bootstrap-icons/icons/currency-rupee.svg?component';
import CompassIcon from 'bootstrap-icons/icons/compass.svg?component';
import DiagramIcon from 'bootstrap-icons/icons/diagram-3.svg?component';
import EyeIcon from 'bootstrap-icons/icons/eye-slash.svg?component';
import GiftIcon from 'bootstrap-icons/icons/gift.svg?component';
import GlobeIcon from 'bootstrap-icons/icons/globe2.svg?component';
import GraphIcon from 'bootstrap-icons/icons/graph-up-arrow.svg?component';
import JournalIcon from 'bootstrap-icons/icons/journal-text.svg?component';
import LifebuoyIcon from 'bootstrap-icons/icons/life-preserver.svg?component';
import LockIcon from 'bootstrap-icons/icons/shield-lock.svg?component';
import MegaphoneIcon from 'bootstrap-icons/icons/megaphone.svg?component';
import PaletteIcon from 'bootstrap-icons/icons/palette.svg?component';
import PeopleIcon from 'bootstrap-icons/icons/people.svg?component';
import PercentIcon from 'bootstrap-icons/icons/percent.svg?component';
import PersonAddIcon from 'bootstrap-icons/icons/person-plus.svg?component';
import PhoneIcon from 'bootstrap-icons/icons/phone.svg?component';
import PlayIcon from 'bootstrap-icons/icons/play-btn.svg?component';
import PinIcon from 'bootstrap-icons/icons/geo-alt.svg?component';
import PlugIcon from 'bootstrap-icons/icons/plug.svg?component';
import ReceiptIcon from 'bootstrap-icons/icons/receipt.svg?component';
import ShieldIcon from 'bootstrap-icons/icons/shield-exclamation.svg?component';
import ShopIcon from 'bootstrap-icons/icons/shop.svg?component';
import TruckIcon from 'bootstrap-icons/icons/truck.svg?component';
import type { ComponentType, SVGProps } from 'react';
import type { AudienceItem, LifecycleStep, ProblemCard, ResourceCard, StatItem } from '@/content/home';
import type { FeatureCard } from '@/content/home-features';

type Icons<Name extends string> = Record<Name, ComponentType<SVGProps<SVGSVGElement>>>;

export const problemIcons: Icons<ProblemCard['image']> = {
  boxes: BoxesIcon,
  clock: ClockIcon,
  eye: EyeIcon,
  shield: ShieldIcon,
  chat: ChatIcon,
  coins: CoinsIcon,
};

export const featureIcons: Icons<FeatureCard['image']> = {
  store: ShopIcon,
  phone: PhoneIcon,
  people: PersonAddIcon,
  gift: GiftIcon,
  percent: PercentIcon,
  truck: TruckIcon,
  compass: CompassIcon,
  market: BagIcon,
  palette: PaletteIcon,
  graph: GraphIcon,
};

export const audienceIcons: Icons<AudienceItem['icon']> = {
  factory: BuildingIcon,
  award: AwardIcon,
  network: DiagramIcon,
  community: PeopleIcon,
  shop: ShopIcon,
  growth: GraphIcon,
};

export const statIcons: Icons<StatItem['icon']> = {
  app: PhoneIcon,
  domain: GlobeIcon,
  plug: PlugIcon,
  card: CardIcon,
  shipping: TruckIcon,
  receipt: ReceiptIcon,
  megaphone: MegaphoneIcon,
  lock: LockIcon,
};

export const resourceIcons: Icons<ResourceCard['image']> = {
  lifebuoy: LifebuoyIcon,
  play: PlayIcon,
  journal: JournalIcon,
  handshake: PeopleIcon,
};

export const lifecycleIcons: Icons<LifecycleStep['icon']> = {
  store: ShopIcon,
  host: PinIcon,
  onboard: PersonAddIcon,
  sell: BoxesIcon,
  reward: GiftIcon,
  grow: GraphIcon,
};
