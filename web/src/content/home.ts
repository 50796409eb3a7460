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
    text: t`Nobody knows which outlet has what. One outlet runs out while another writes stock off.`,
  },
  {
    image: 'clock',
    title: t`Slow, manual orders`,
    text: t`Orders come by phone and message, are typed in twice and shipped a day too late.`,
  },
  {
    image: 'eye',
    title: t`No insight in real time`,
    text: t`Sales figures arrive at the end of the month, when it is too late to act on them.`,
  },
  {
    image: 'shield',
    title: t`Compliance and standards`,
    text: t`Every franchise does it a little differently, and you hear of it from a customer.`,
  },
  {
    image: 'chat',
    title: t`Communication gaps`,
    text: t`Price changes and offers get lost between groups, calls and printed circulars.`,
  },
  {
    image: 'coins',
    title: t`High operating costs`,
    text: t`Each new outlet ties up working capital, staff and travel before it sells anything.`,
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

/** The way of a franchise, from the first day to the next one. */
export const lifecycle: { title: string; text: string }[] = [
  { title: t`Set up`, text: t`Brand, store, domain and plan.` },
  { title: t`Find a host`, text: t`Somebody with a place and customers.` },
  { title: t`Onboard`, text: t`Terms, commissions, price list.` },
  { title: t`Stock and sell`, text: t`Orders and inventory in one view.` },
  { title: t`Reward`, text: t`Points that bring customers back.` },
  { title: t`Grow`, text: t`Compare, improve, open the next.` },
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
    details: t`Published under your name. A separate app for your customers is an add-on.`,
  },
  {
    icon: 'domain',
    name: t`Custom domain`,
    details: t`Your store at your own web address. You add two DNS records; we check them every day.`,
  },
  {
    icon: 'plug',
    name: t`Third-party integration`,
    details: t`Connect the software you already use, from Growth onwards.`,
  },
  {
    icon: 'card',
    name: t`Card payment gateway`,
    details: t`Cards, net banking, UPI and wallets. Card data never reaches our servers.`,
  },
  {
    icon: 'shipping',
    name: t`Shipping integration`,
    details: t`From order to doorstep without retyping an address.`,
  },
  {
    icon: 'receipt',
    name: t`GST invoices`,
    details: t`A tax invoice for every payment, with CGST and SGST or IGST as your State requires.`,
  },
  {
    icon: 'megaphone',
    name: t`Launch campaign`,
    details: t`A free social media campaign that reaches ${claims.campaign.figure} people, with Pinnacle and Elite.`,
  },
  {
    icon: 'lock',
    name: t`Your data, kept separate`,
    details: t`Your data is kept separate from every other business’s in the database itself.`,
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
    description: t`Short answers on signing up, plans, stores, domains and invoices.`,
    link: '/helpcenter',
    linkText: t`Find an answer`,
    image: 'lifebuoy',
  },
  {
    id: 'webinars',
    title: t`Webinars`,
    description: t`Short recordings of the product, step by step, with captions.`,
    link: '/tutorial',
    linkText: t`Watch the tutorials`,
    image: 'play',
  },
  {
    id: 'blogs',
    title: t`Blogs`,
    description: t`What a franchise costs, what the agreement must say, how royalties are taxed.`,
    link: '/blog',
    linkText: t`Read the blog`,
    image: 'journal',
  },
  {
    id: 'community',
    title: t`Community`,
    description: t`Find a host for your brand, or offer to be one. Tell us where you are and what you sell.`,
    link: '/contact?topic=partnership',
    linkText: t`Find a host`,
    image: 'handshake',
  },
];

/** A view of the dashboard preview. `shot` is a picture of the product, `sketch` stands in where there is none. */
export interface PreviewSlide {
  id: string;
  title: string;
  text: string;
  shot: string;
  sketch: 'cards' | 'table' | 'chat' | 'chart' | 'form' | 'help' | 'people';
}

export const previews: PreviewSlide[] = [
  {
    id: 'dashboard',
    title: t`Dashboard`,
    text: t`Plan, renewal date, store and add-ons at a glance.`,
    shot: 'dashboard',
    sketch: 'cards',
  },
  {
    id: 'products',
    title: t`Products`,
    text: t`One catalogue for all outlets, with prices by location.`,
    shot: 'products',
    sketch: 'table',
  },
  {
    id: 'conversation',
    title: t`Conversation`,
    text: t`Talk to one franchise or to all of them, in one place.`,
    shot: 'conversation',
    sketch: 'chat',
  },
  {
    id: 'analytics',
    title: t`Analytics`,
    text: t`What sells where, in time to act on it.`,
    shot: 'analytics',
    sketch: 'chart',
  },
  {
    id: 'campaigns',
    title: t`Campaigns`,
    text: t`One offer, every outlet, the same morning.`,
    shot: 'campaigns',
    sketch: 'cards',
  },
  {
    id: 'audience',
    title: t`Audience`,
    text: t`Who buys, how often, and who has not come back.`,
    shot: 'audience',
    sketch: 'people',
  },
  {
    id: 'statistics',
    title: t`Statistics`,
    text: t`Orders and payments, searchable, with their invoices.`,
    shot: 'billing',
    sketch: 'table',
  },
  {
    id: 'help-center',
    title: t`Help Center`,
    text: t`Answers where you need them, and people to ask.`,
    shot: 'help',
    sketch: 'help',
  },
];
