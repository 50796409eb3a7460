import { t } from '@lingui/core/macro';
import { claims } from './claims';

/** A row of the why-page: words on one side, a picture on the other, the sides alternating. */
export interface WhyRow {
  id: string;
  title: string;
  text: string;
  points: string[];
  shot: string;
  alt: string;
}

export const whyRows: WhyRow[] = [
  {
    id: 'capital',
    title: t`Grow on your partners’ capital, not on yours`,
    text: t`In an outlet of your own you pay the deposit, the fittings, the first stock and the staff until the first good month. With franchise partners you pay for none of these.`,
    points: [
      t`Working capital reduced by up to ${claims.workingCapital.figure}`,
      t`Start with up to 18 franchises, go on to 36 and ${claims.franchises.figure} on one plan`,
      t`Add ten at a time with the franchise extension`,
    ],
    shot: 'partners',
    alt: t`The partners of a brand, each with mobile number, role and number of outlets`,
  },
  {
    id: 'control',
    title: t`See every outlet without visiting it`,
    text: t`A franchise system fails quietly: one outlet at a time, and the brand hears of it last. One view of orders, stock and rewards shows you early.`,
    points: [
      t`Orders and inventory of all locations`,
      t`The same commissions and price list for everybody`,
      t`One reward programme across all outlets`,
    ],
    shot: 'outlets',
    alt: t`The outlets of a brand, each with city, partner and status`,
  },
  {
    id: 'brand',
    title: t`Your brand, not ours`,
    text: t`Your domain, your app icon, your colours. What your customers learn to trust is your name, and it stays yours if you leave.`,
    points: [t`Own Android and iOS app`, t`Custom domain with certificates included`, t`White-label apps with Elite`],
    shot: 'store',
    alt: t`The overview of a store: outlets by status and the franchise limit`,
  },
  {
    id: 'money',
    title: t`Charges that you see before you pay them`,
    text: t`Every price is on the pricing page, with and without GST. The amount in the payment details is the amount that is charged, to the paisa.`,
    points: [
      t`GST invoice for every payment`,
      t`No surprise renewal: nothing is debited unless you choose it`,
      t`Unused days are credited when you move up`,
    ],
    shot: 'bill',
    alt: t`The bill beside the payment: each line of the charge, the GST and the total`,
  },
];
