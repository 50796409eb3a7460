import { t } from '@lingui/core/macro';
/** A link of the header or footer. */
export interface NavItem {
  key: string;
  id: string;
  link: string;
}

export const featureLinks: NavItem[] = [
  { key: t`All features`, id: 'all-features', link: '/all-features' },
  { key: t`Overview`, id: 'overview', link: '/overview' },
];

export const resourceLinks: NavItem[] = [
  { key: t`Help centre`, id: 'helpcenter', link: '/helpcenter' },
  { key: t`What is a franchise?`, id: 'what-is-franchise', link: '/whatisFranchise' },
  { key: t`Product tour`, id: 'product-tour', link: '/product-tour' },
  { key: t`Blog`, id: 'blog', link: '/blog' },
  { key: t`Tutorials`, id: 'tutorial', link: '/tutorial' },
  { key: t`What’s new`, id: 'whats-new', link: '/whats-new' },
  { key: t`FAQ`, id: 'faq', link: '/faq' },
  { key: t`Customer stories`, id: 'customer-stories', link: '/customerStories' },
];

export const mainLinks: NavItem[] = [
  { key: t`Why Franchise 360`, id: 'why', link: '/why-franchise360' },
  { key: t`Pricing`, id: 'pricing', link: '/pricing' },
];

export const companyLinks: NavItem[] = [
  { key: t`About Us`, id: 'about', link: '/' },
  { key: t`Overview`, id: 'footer-overview', link: '/overview' },
  { key: t`Features`, id: 'footer-features', link: '/all-features' },
  { key: t`Pricing`, id: 'footer-pricing', link: '/pricing' },
  { key: t`Start free trial`, id: 'footer-trial', link: '/start-free-trial' },
  { key: t`Developers`, id: 'footer-developers', link: '/developers' },
];

export const legalLinks: NavItem[] = [
  { key: t`Privacy Policy`, id: 'privacy', link: '/privacy' },
  { key: t`Terms and Conditions`, id: 'terms', link: '/terms' },
  { key: t`Refunds`, id: 'refunds', link: '/refunds' },
];
