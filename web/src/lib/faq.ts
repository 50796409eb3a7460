import { t } from '@lingui/core/macro';
import { claims } from '@/content/claims';
import { gstPercent } from '@/content/gst';

/** A question of the FAQ and its answer. */
interface Question {
  title: string;
  content: string;
}

export interface QuestionGroup {
  id: string;
  title: string;
  questions: Question[];
}

/** The questions of the pricing and FAQ pages. */
export const faq: QuestionGroup[] = [
  {
    id: 'general',
    title: t`General questions`,
    questions: [
      {
        title: t`How many franchises can I run?`,
        content: t`Tiered plans support up to ${claims.franchises.figure} franchises: 18 with Expansion, 36 with Apex and ${claims.franchises.figure} with Supreme. Each franchise extension adds 10 more to any of them.`,
      },
      {
        title: t`Who is Franchise 360 for?`,
        content: t`Manufacturers, brand owners, retailers, network-marketing companies, community members and small and medium enterprises who want to grow their brand through franchising.`,
      },
      {
        title: t`Do I get an app of my own?`,
        content: t`Yes. Every plan comes with your own Android and iOS app and a custom domain. The users app for your customers is an add-on of any tier.`,
      },
      {
        title: t`Will you promote my brand?`,
        content: t`Yes: a free social media campaign that reaches ${claims.campaign.figure} people comes with Pinnacle and Elite. It starts once your store is set up.`,
      },
      {
        title: t`Can I move to another plan later?`,
        content: t`Any time. A larger plan starts at once and the unused days of your current plan are credited; a smaller one starts with your next renewal. You see every figure before you confirm.`,
      },
    ],
  },
  {
    id: 'payment',
    title: t`Payment questions`,
    questions: [
      {
        title: t`How can I pay?`,
        content: t`By credit or debit card, net banking, UPI or wallet, on the secure page of our payment provider. Card and bank data never reach our servers.`,
      },
      {
        title: t`Do the prices include GST?`,
        content: t`The prices on this page exclude ${gstPercent}% GST. Before you pay you see the total with CGST and SGST or IGST, as your State requires, and you get a GST invoice for every payment.`,
      },
      {
        title: t`What do I save with annual payment?`,
        content: t`An additional 10% of the yearly price of your plan. The payment details show the saving on a line of its own.`,
      },
      {
        title: t`Will my plan renew automatically?`,
        content: t`Only if you choose automatic renewal, which you can stop at any time. Otherwise nothing is debited: we remind you before your term ends and send you a link to pay. For 7 days after the end everything keeps working.`,
      },
      {
        title: t`What if a payment fails?`,
        content: t`Nothing is activated and your choice is saved, so you can try again at once. If money was debited anyway, we trace it and either complete your order or return it.`,
      },
    ],
  },
];
