/** A topic of the help centre. Articles name it by its id in their head. */
export interface HelpTopic {
  id: string;
  title: string;
  description: string;
  icon: 'start' | 'plan' | 'store' | 'domain' | 'bill' | 'account';
  /** The card's own link: an article, or any other page. */
  link: string;
}

export const helpTopics: HelpTopic[] = [
  {
    id: 'start',
    title: 'Getting started',
    description: 'Sign up, the code, the free trial.',
    icon: 'start',
    link: '/helpcenter/sign-up',
  },
  {
    id: 'plan',
    title: 'Plans and add-ons',
    description: 'Choose, change, extend, cancel.',
    icon: 'plan',
    link: '/helpcenter/choose-a-plan',
  },
  {
    id: 'store',
    title: 'Your store',
    description: 'Details, password, franchises.',
    icon: 'store',
    link: '/helpcenter/set-up-your-store',
  },
  {
    id: 'domain',
    title: 'Domains',
    description: 'Your own address for your store.',
    icon: 'domain',
    link: '/helpcenter/link-your-domain',
  },
  {
    id: 'bill',
    title: 'Payments and invoices',
    description: 'GST, invoices, failed payments, refunds.',
    icon: 'bill',
    link: '/helpcenter/pay-for-a-plan',
  },
  {
    id: 'account',
    title: 'Account and security',
    description: 'Password, profile, your data.',
    icon: 'account',
    link: '/helpcenter/reset-your-password',
  },
];
