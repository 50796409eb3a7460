/** A link of the header or footer. */
export interface NavItem {
  key: string;
  id: string;
  link: string;
}

export const featureLinks: NavItem[] = [
  { key: 'All features', id: 'all-features', link: '/all-features' },
  { key: 'Overview', id: 'overview', link: '/overview' },
];

export const resourceLinks: NavItem[] = [
  { key: 'Help centre', id: 'helpcenter', link: '/helpcenter' },
  { key: 'What is a franchise?', id: 'what-is-franchise', link: '/whatisFranchise' },
  { key: 'Product tour', id: 'product-tour', link: '/product-tour' },
  { key: 'Blog', id: 'blog', link: '/blog' },
  { key: 'Tutorials', id: 'tutorial', link: '/tutorial' },
  { key: 'What’s new', id: 'whats-new', link: '/whats-new' },
  { key: 'FAQ', id: 'faq', link: '/faq' },
  { key: 'Customer stories', id: 'customer-stories', link: '/customerStories' },
];

export const mainLinks: NavItem[] = [
  { key: 'Why Franchise 360', id: 'why', link: '/why-franchise360' },
  { key: 'Pricing', id: 'pricing', link: '/pricing' },
];

export const companyLinks: NavItem[] = [
  { key: 'About Us', id: 'about', link: '/' },
  { key: 'Overview', id: 'footer-overview', link: '/overview' },
  { key: 'Features', id: 'footer-features', link: '/all-features' },
  { key: 'Pricing', id: 'footer-pricing', link: '/pricing' },
  { key: 'Start free trial', id: 'footer-trial', link: '/start-free-trial' },
  { key: 'Developers', id: 'footer-developers', link: '/developers' },
];

export const legalLinks: NavItem[] = [
  { key: 'Privacy Policy', id: 'privacy', link: '/privacy' },
  { key: 'Terms and Condition', id: 'terms', link: '/terms' },
  { key: 'Refunds', id: 'refunds', link: '/terms#refunds' },
];
