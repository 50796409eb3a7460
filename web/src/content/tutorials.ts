import { t } from '@lingui/core/macro';

/** A tutorial: a recording of the product where there is one, else its steps with a picture each. */
export interface Tutorial {
  /** Name of the recording in src/content/recordings, as `node scripts/record.mjs` writes it. */
  id: string;
  title: string;
  text: string;
  /** The picture of the product that stands for it in the list and until it plays. */
  cover: string;
  steps: { text: string; shot: string }[];
}

export const tutorials: Tutorial[] = [
  {
    id: 'sign-up',
    title: t`Sign up and confirm your mobile`,
    text: t`From the first field to the code that arrives by SMS.`,
    cover: 'sign-up',
    steps: [
      {
        text: t`Choose “Get Started” and then “Sign up”. Type your e-mail address, a password and your mobile number.`,
        shot: 'sign-up',
      },
      { text: t`The list under the password ticks off each rule as you meet it.`, shot: 'sign-up' },
      {
        text: t`We send a code by SMS. Type its six digits; after 59 seconds you can ask for another.`,
        shot: 'sign-up-code',
      },
    ],
  },
  {
    id: 'address',
    title: t`Enter your business address`,
    text: t`Search for the place, or type it in by hand.`,
    cover: 'address-filled',
    steps: [
      { text: t`Type a few letters of your locality and choose it from the list.`, shot: 'address' },
      {
        text: t`City, State and pincode fill in automatically. Add house number, building and landmark.`,
        shot: 'address-filled',
      },
      {
        text: t`Your GSTIN is optional. With it, the invoice is addressed to your company.`,
        shot: 'address-filled',
      },
    ],
  },
  {
    id: 'choose-plan',
    title: t`Choose a plan and see the bill`,
    text: t`Tier, add-ons, and the payment details before you pay.`,
    cover: 'plan',
    steps: [
      { text: t`Compare the plans, monthly or annual.`, shot: 'pricing' },
      { text: t`Pick a tier by the number of franchises, and the add-ons you want.`, shot: 'plan' },
      {
        text: t`“View Details” shows every line, GST, the total and the renewal date.`,
        shot: 'payment-details',
      },
    ],
  },
  {
    id: 'store',
    title: t`Set up your store`,
    text: t`Name, type and password of the store that your franchises log in to.`,
    cover: 'store-details',
    steps: [
      { text: t`Give your store a name and choose its type.`, shot: 'store-details' },
      {
        text: t`Set the store’s password. It is separate from the password of your account.`,
        shot: 'store-details',
      },
      { text: t`The welcome screen shows what is done and what is left.`, shot: 'welcome' },
    ],
  },
  {
    id: 'domain',
    title: t`Link your own domain`,
    text: t`Two DNS records, and your store answers under your name.`,
    cover: 'domain',
    steps: [
      { text: t`Open “Change custom domain” on the dashboard and type the domain.`, shot: 'dashboard' },
      { text: t`Copy the two records into the settings of your domain provider.`, shot: 'domain' },
      {
        text: t`We check them. Until they are right your store stays on its default address.`,
        shot: 'domain',
      },
    ],
  },
  {
    id: 'invoices',
    title: t`Find an order and its invoice`,
    text: t`Orders, payments, search and download.`,
    cover: 'billing',
    steps: [
      { text: t`Open “Renewals & Billing” from your profile menu.`, shot: 'billing' },
      { text: t`Switch between Orders and Payments, or search by number.`, shot: 'billing' },
      { text: t`Download the GST invoice of any payment as PDF.`, shot: 'billing' },
    ],
  },
];
