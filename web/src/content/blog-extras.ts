/** A story of the blog's carousel: a round thumbnail that opens as a full picture. */
export interface Story {
  id: string;
  title: string;
  text: string;
}

export const stories: Story[] = [
  {
    id: 'capital',
    title: 'Whose money opens the outlet?',
    text: 'In a company-owned outlet the brand pays for deposit, fittings and first stock. In a franchise the partner does; the brand pays for training and control.',
  },
  {
    id: 'agreement',
    title: 'The agreement in one picture',
    text: 'Territory, term, fees, standards, exit. If one of the five is missing from the paper, it will be missing in the dispute.',
  },
  {
    id: 'fairness',
    title: 'A royalty that both can live with',
    text: 'Take it from turnover, keep it low enough that an honest partner earns more than from a job, and show how it is worked out.',
  },
  {
    id: 'place',
    title: 'Location is the host’s capital',
    text: 'A host brings footfall. Count it on a weekday and on a Sunday before you sign anything.',
  },
  {
    id: 'numbers',
    title: 'Five numbers a day',
    text: 'Bills, average bill, stock-outs, returns, points redeemed. An outlet that is going wrong shows it in these first.',
  },
  {
    id: 'people',
    title: 'The first ten partners',
    text: 'Choose them for how they treat customers. The next ninety will be chosen by the first ten.',
  },
];

/** A line of the "Latest News" grid. */
export interface News {
  id: string;
  title: string;
  text: string;
  link: string;
  linkText: string;
}

export const news: News[] = [
  {
    id: 'invoices',
    title: 'GST invoices with every payment',
    text: 'Unbroken serial numbers, the right taxes, the amount in words.',
    link: '/whats-new',
    linkText: 'Release notes',
  },
  {
    id: 'tour',
    title: 'Take the product tour',
    text: 'Seven steps from sign-up to your first outlets.',
    link: '/product-tour',
    linkText: 'Take the tour',
  },
  {
    id: 'help',
    title: 'A help centre that finds things',
    text: 'Search all articles as you type.',
    link: '/helpcenter',
    linkText: 'Open the help centre',
  },
  {
    id: 'host',
    title: 'Have a place, want a brand?',
    text: 'Tell us where it is and who comes by.',
    link: '/contact?topic=partnership',
    linkText: 'Offer your place',
  },
];
