import { t } from '@lingui/core/macro';
/** A line of the comparison with other ways to run a franchise system. */
export interface ComparisonRow {
  topic: string;
  ours: string;
  /** What typical franchise software for the desktop, or an add-on of an ERP, offers. */
  software: string;
  /** Spreadsheets, messages and phone calls. */
  byHand: string;
}

/** General knowledge about kinds of tools, on purpose without names: we do not speak for others’ products. */
export const comparison: ComparisonRow[] = [
  {
    topic: t`Price`,
    ours: t`On the pricing page, with GST shown`,
    software: t`On request, often per outlet and user`,
    byHand: t`No fee, but every mistake costs money`,
  },
  {
    topic: t`First outlet live`,
    ours: t`The same day`,
    software: t`Weeks of set-up`,
    byHand: t`Whenever somebody has time`,
  },
  { topic: t`Own app and domain`, ours: t`In every plan`, software: t`Extra project`, byHand: t`No` },
  {
    topic: t`Commissions by level`,
    ours: t`From Growth`,
    software: t`Sometimes`,
    byHand: t`By calculator, every month`,
  },
  {
    topic: t`Reward programme across all outlets`,
    ours: t`In every plan`,
    software: t`Separate product`,
    byHand: t`Stamp cards`,
  },
  { topic: t`Stock of all locations`, ours: t`In real time`, software: t`Usually by the evening`, byHand: t`By phone` },
  { topic: t`GST invoice for the subscription`, ours: t`With every payment`, software: t`Yes`, byHand: t`Not needed` },
  {
    topic: t`Leaving`,
    ours: t`At the end of the term; your domain stays yours`,
    software: t`Long contracts are common`,
    byHand: t`Any time`,
  },
];
