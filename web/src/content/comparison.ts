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
    topic: 'Price',
    ours: 'On the pricing page, with GST shown',
    software: 'On request, often per outlet and user',
    byHand: 'Free, until the first mistake',
  },
  {
    topic: 'First outlet live',
    ours: 'The same day',
    software: 'Weeks of set-up',
    byHand: 'Whenever somebody has time',
  },
  { topic: 'Own app and domain', ours: 'In every plan', software: 'Extra project', byHand: 'No' },
  { topic: 'Commissions by level', ours: 'From Growth', software: 'Sometimes', byHand: 'By calculator, every month' },
  {
    topic: 'Reward programme across all outlets',
    ours: 'In every plan',
    software: 'Separate product',
    byHand: 'Stamp cards',
  },
  { topic: 'Stock of all locations', ours: 'In real time', software: 'Usually by the evening', byHand: 'By phone' },
  { topic: 'GST invoice for the subscription', ours: 'With every payment', software: 'Yes', byHand: 'Not needed' },
  {
    topic: 'Leaving',
    ours: 'At the end of the term; your domain stays yours',
    software: 'Long contracts are common',
    byHand: 'Any time',
  },
];
