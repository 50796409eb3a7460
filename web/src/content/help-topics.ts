import { t } from '@lingui/core/macro';
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
    title: t`Getting started`,
    description: t`Sign up, the code, the free trial.`,
    icon: 'start',
    link: '/helpcenter/sign-up',
  },
  {
    id: 'plan',
    title: t`Plans and add-ons`,
    description: t`Choose, change, extend, cancel.`,
    icon: 'plan',
    link: '/helpcenter/choose-a-plan',
  },
  {
    id: 'store',
    title: t`Your store`,
    description: t`Details, password, franchises.`,
    icon: 'store',
    link: '/helpcenter/set-up-your-store',
  },
  {
    id: 'domain',
    title: t`Domains`,
    description: t`Your own address for your store.`,
    icon: 'domain',
    link: '/helpcenter/link-your-domain',
  },
  {
    id: 'bill',
    title: t`Payments and invoices`,
    description: t`GST, invoices, failed payments, refunds.`,
    icon: 'bill',
    link: '/helpcenter/pay-for-a-plan',
  },
  {
    id: 'account',
    title: t`Account and security`,
    description: t`Password, profile, your data.`,
    icon: 'account',
    link: '/helpcenter/reset-your-password',
  },
];
