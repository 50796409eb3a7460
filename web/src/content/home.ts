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
    title: 'Inventory across locations',
    text: 'Nobody knows which outlet has what. One outlet runs out while another writes stock off.',
  },
  {
    image: 'clock',
    title: 'Slow, manual orders',
    text: 'Orders come by phone and message, are typed in twice and shipped a day too late.',
  },
  {
    image: 'eye',
    title: 'No insight in real time',
    text: 'Sales figures arrive at the end of the month, when it is too late to act on them.',
  },
  {
    image: 'shield',
    title: 'Compliance and standards',
    text: 'Every franchise does it a little differently, and you hear of it from a customer.',
  },
  {
    image: 'chat',
    title: 'Communication gaps',
    text: 'Price changes and offers get lost between groups, calls and printed circulars.',
  },
  {
    image: 'coins',
    title: 'High operating costs',
    text: 'Each new outlet ties up working capital, staff and travel before it sells anything.',
  },
];

/** A kind of business that the platform suits. */
export interface AudienceItem {
  icon: 'factory' | 'award' | 'network' | 'community' | 'shop' | 'growth';
  name: string;
}

export const audiences: AudienceItem[] = [
  { icon: 'factory', name: 'Manufacturers' },
  { icon: 'award', name: 'Brand owners' },
  { icon: 'network', name: 'Network-marketing companies' },
  { icon: 'community', name: 'Community members' },
  { icon: 'shop', name: 'Retailers' },
  { icon: 'growth', name: 'Small and medium enterprises' },
];

/** The way of a franchise, from the first day to the next one. */
export const lifecycle: { title: string; text: string }[] = [
  { title: 'Set up', text: 'Brand, store, domain and plan.' },
  { title: 'Find a host', text: 'Somebody with a place and customers.' },
  { title: 'Onboard', text: 'Terms, commissions, price list.' },
  { title: 'Stock and sell', text: 'Orders and inventory in one view.' },
  { title: 'Reward', text: 'Points that bring customers back.' },
  { title: 'Grow', text: 'Compare, improve, open the next.' },
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
    name: 'Own Android and iOS app',
    details: 'Published under your name. A separate app for your customers is an add-on.',
  },
  {
    icon: 'domain',
    name: 'Custom domain',
    details: 'Your store at your own web address. You add two DNS records; we check them every day.',
  },
  {
    icon: 'plug',
    name: 'Third-party integration',
    details: 'Connect the software you already use, from Growth onwards.',
  },
  {
    icon: 'card',
    name: 'Card payment gateway',
    details: 'Cards, net banking, UPI and wallets. Card data never reaches our servers.',
  },
  {
    icon: 'shipping',
    name: 'Shipping integration',
    details: 'From order to doorstep without retyping an address.',
  },
  {
    icon: 'receipt',
    name: 'GST invoices',
    details: 'A tax invoice for every payment, with CGST and SGST or IGST as your State requires.',
  },
  {
    icon: 'megaphone',
    name: 'Launch campaign',
    details: `A free social media campaign that reaches ${claims.campaign.figure} people, with Pinnacle and Elite.`,
  },
  {
    icon: 'lock',
    name: 'Your data, kept separate',
    details: 'Your data is kept separate from every other business’s in the database itself.',
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
    title: 'Help centre',
    description: 'Short answers on signing up, plans, stores, domains and invoices.',
    link: '/helpcenter',
    linkText: 'Find an answer',
    image: 'lifebuoy',
  },
  {
    id: 'webinars',
    title: 'Webinars',
    description: 'Short recordings of the product, step by step, with captions.',
    link: '/tutorial',
    linkText: 'Watch the tutorials',
    image: 'play',
  },
  {
    id: 'blogs',
    title: 'Blogs',
    description: 'What a franchise costs, what the agreement must say, how royalties are taxed.',
    link: '/blog',
    linkText: 'Read the blog',
    image: 'journal',
  },
  {
    id: 'community',
    title: 'Community',
    description: 'Find a host for your brand, or offer to be one. Tell us where you are and what you sell.',
    link: '/contact?topic=partnership',
    linkText: 'Find a host',
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
    title: 'Dashboard',
    text: 'Plan, renewal date, store and add-ons at a glance.',
    shot: 'dashboard',
    sketch: 'cards',
  },
  {
    id: 'products',
    title: 'Products',
    text: 'One catalogue for all outlets, with prices by location.',
    shot: 'products',
    sketch: 'table',
  },
  {
    id: 'conversation',
    title: 'Conversation',
    text: 'Talk to one franchise or to all of them, in one place.',
    shot: 'conversation',
    sketch: 'chat',
  },
  {
    id: 'analytics',
    title: 'Analytics',
    text: 'What sells where, in time to act on it.',
    shot: 'analytics',
    sketch: 'chart',
  },
  {
    id: 'campaigns',
    title: 'Campaigns',
    text: 'One offer, every outlet, the same morning.',
    shot: 'campaigns',
    sketch: 'cards',
  },
  {
    id: 'audience',
    title: 'Audience',
    text: 'Who buys, how often, and who has not come back.',
    shot: 'audience',
    sketch: 'people',
  },
  {
    id: 'statistics',
    title: 'Statistics',
    text: 'Orders and payments, searchable, with their invoices.',
    shot: 'billing',
    sketch: 'table',
  },
  {
    id: 'help-center',
    title: 'Help Center',
    text: 'Answers where you need them, and people to ask.',
    shot: 'help',
    sketch: 'help',
  },
];
