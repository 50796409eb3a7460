import { t } from '@lingui/core/macro';
import { claims } from './claims';

/** A problem of the traditional franchise system. `image` names an icon of the page. */
export interface ProblemCard {
  image: 'boxes' | 'clock' | 'eye' | 'shield' | 'chat' | 'coins';
  title: string;
  text: string;
}

export const problems: ProblemCard[] = [
  {
    image: 'boxes',
    title: t`Inventory across locations`,
    text: t`One outlet runs out while another writes stock off.`,
  },
  {
    image: 'clock',
    title: t`Slow, manual orders`,
    text: t`Orders come by phone and are typed in twice.`,
  },
  {
    image: 'eye',
    title: t`No insight in real time`,
    text: t`Sales figures arrive when the month is over.`,
  },
  {
    image: 'shield',
    title: t`Compliance and standards`,
    text: t`Each outlet does it a little differently.`,
  },
  {
    image: 'chat',
    title: t`Communication gaps`,
    text: t`Price changes get lost between calls and groups.`,
  },
  {
    image: 'coins',
    title: t`High operating costs`,
    text: t`Each new outlet ties up capital, staff and travel.`,
  },
];

/** A kind of business that the platform suits. */
export interface AudienceItem {
  icon: 'factory' | 'award' | 'network' | 'community' | 'shop' | 'growth';
  name: string;
}

export const audiences: AudienceItem[] = [
  { icon: 'factory', name: t`Manufacturers` },
  { icon: 'award', name: t`Brand owners` },
  { icon: 'network', name: t`Network-marketing companies` },
  { icon: 'community', name: t`Community members` },
  { icon: 'shop', name: t`Retailers` },
  { icon: 'growth', name: t`Small and medium enterprises` },
];

/** A step in the life of a franchise. */
export interface LifecycleStep {
  icon: 'store' | 'host' | 'onboard' | 'sell' | 'reward' | 'grow';
  title: string;
  text: string;
}

export const lifecycle: LifecycleStep[] = [
  { icon: 'store', title: t`Set up`, text: t`Brand, store, domain and plan.` },
  { icon: 'host', title: t`Find a host`, text: t`Somebody with a place and customers.` },
  { icon: 'onboard', title: t`Onboard`, text: t`Terms, commissions, price list.` },
  { icon: 'sell', title: t`Stock and sell`, text: t`Orders and inventory in one view.` },
  { icon: 'reward', title: t`Reward`, text: t`Points that bring customers back.` },
  { icon: 'grow', title: t`Grow`, text: t`Compare, improve, open the next.` },
];

/** A key feature: icon, name and details. */
export interface StatItem {
  icon: 'app' | 'domain' | 'plug' | 'card' | 'shipping' | 'receipt' | 'megaphone' | 'lock';
  name: string;
  details: string;
}

export const keyFeatures: StatItem[] = [
  {
    icon: 'app',
    name: t`Own Android and iOS app`,
    details: t`Published under your name.`,
  },
  {
    icon: 'domain',
    name: t`Custom domain`,
    details: t`Your own web address, checked every day.`,
  },
  {
    icon: 'plug',
    name: t`Third-party integration`,
    details: t`Connects the software you use, from Growth.`,
  },
  {
    icon: 'card',
    name: t`Card payment gateway`,
    details: t`Cards, net banking, UPI and wallets.`,
  },
  {
    icon: 'shipping',
    name: t`Shipping integration`,
    details: t`From order to doorstep without retyping addresses.`,
  },
  {
    icon: 'receipt',
    name: t`GST invoices`,
    details: t`For every payment, as your State requires.`,
  },
  {
    icon: 'megaphone',
    name: t`Launch campaign`,
    details: t`Reaches ${claims.campaign.figure} people, with Pinnacle and Elite.`,
  },
  {
    icon: 'lock',
    name: t`Your data, kept separate`,
    details: t`Separate from every other business in the database.`,
  },
];

/** A help or resource card; target and text of the link come from here. */
export interface ResourceCard {
  id: string;
  title: string;
  description: string;
  link: string;
  linkText: string;
  image: 'lifebuoy' | 'play' | 'journal' | 'handshake';
}

export const resources: ResourceCard[] = [
  {
    id: 'help',
    title: t`Help centre`,
    description: t`Answers on plans, stores, domains and invoices.`,
    link: '/helpcenter',
    linkText: t`Find an answer`,
    image: 'lifebuoy',
  },
  {
    id: 'webinars',
    title: t`Webinars`,
    description: t`Short recordings of the product, with captions.`,
    link: '/tutorial',
    linkText: t`Watch the tutorials`,
    image: 'play',
  },
  {
    id: 'blogs',
    title: t`Blogs`,
    description: t`What a franchise costs, and how royalties are taxed.`,
    link: '/blog',
    linkText: t`Read the blog`,
    image: 'journal',
  },
  {
    id: 'community',
    title: t`Community`,
    description: t`Find a host for your brand, or become one.`,
    link: '/contact?topic=partnership',
    linkText: t`Find a host`,
    image: 'handshake',
  },
];

/** A view of the dashboard preview: a picture of the product, or words alone where a connected system does the work. */
export interface PreviewSlide {
  id: string;
  title: string;
  text: string;
  shot?: string;
}

export const previews: PreviewSlide[] = [
  { id: 'dashboard', title: t`Dashboard`, text: t`Your set-up, next bill and renewal.`, shot: 'dashboard' },
  { id: 'products', title: t`Products`, text: t`One catalogue for all outlets, with prices by location.` },
  {
    id: 'conversation',
    title: t`Conversation`,
    text: t`Talk to one franchise or to all of them, in one place.`,
  },
  { id: 'analytics', title: t`Analytics`, text: t`What sells where, in time to act on it.` },
  { id: 'campaigns', title: t`Campaigns`, text: t`One offer, every outlet, the same morning.` },
  { id: 'audience', title: t`Audience`, text: t`Who buys, how often, and who has not come back.` },
  {
    id: 'statistics',
    title: t`Statistics`,
    text: t`Outlets by status, and the franchise limit used so far.`,
    shot: 'store',
  },
  { id: 'help-center', title: t`Help Center`, text: t`Articles by topic, and a search.`, shot: 'help' },
];
