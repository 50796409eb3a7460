/** A release note. */
export interface Release {
  /** The day of the release, "2026-11-16"; its year is the group that it stands in. */
  date: string;
  title: string;
  description: string;
}

/** What changed, newest first. */
export const releases: Release[] = [
  {
    date: '2026-11-16',
    title: 'Invoices that your accountant accepts',
    description:
      'You get a GST tax invoice for every payment, with an unbroken serial number, CGST and SGST or IGST by place of supply, and the amount in words. For refunds you get a credit note.',
  },
  {
    date: '2026-10-05',
    title: 'Change plans in the middle of a term',
    description:
      'Move up at once with unused days credited, or move down at renewal. You see every figure before you confirm.',
  },
  {
    date: '2026-08-17',
    title: 'A dark theme, and the whole site by keyboard',
    description: 'Every screen works with keyboard and screen reader alone, at 400% zoom, in light and dark.',
  },
  {
    date: '2026-05-11',
    title: 'Payments that are never lost',
    description:
      'If the connection breaks at the bank’s page, we check with the payment provider until we know, then complete your order or return your money.',
  },
  {
    date: '2025-11-03',
    title: 'Domains checked automatically',
    description:
      'Your own domain is verified by a DNS record and checked again every day. If a record goes missing, you hear of it before your customers do.',
  },
  {
    date: '2025-07-14',
    title: 'Add-ons by the day',
    description:
      'Add-ons bought in the middle of a term are billed by the day, and one click cancels them for the next term.',
  },
  {
    date: '2025-02-10',
    title: 'UPI on every plan',
    description: 'Pay a subscription by UPI, card, net banking or wallet, on the payment provider’s secure page.',
  },
  {
    date: '2024-10-21',
    title: 'Reward portal for franchise owners',
    description: 'Franchise owners see what their customers redeem, and what they earn from it.',
  },
  {
    date: '2024-06-03',
    title: 'Commission structures with levels',
    description: 'Set what each level earns per product or per category; changes apply from the next order.',
  },
  {
    date: '2024-01-15',
    title: 'Distribution model setup',
    description: 'We map warehouses, distributors and outlets with you and put the result into the platform.',
  },
  {
    date: '2023-09-04',
    title: 'White-label apps for iOS',
    description: 'After Android and web, your own app for iPhone, published under your name.',
  },
  {
    date: '2023-04-17',
    title: 'Inventory across locations',
    description: 'Stock of all outlets in one view, with a minimum per product and outlet.',
  },
  {
    date: '2022-11-28',
    title: 'Franchisee onboarding',
    description: 'Invite a partner by mobile number; the outlets assigned to them are there when they sign in.',
  },
  {
    date: '2022-07-11',
    title: 'Franchise 360 begins',
    description: 'A store for a brand and its first franchises, with orders, products and a reward programme.',
  },
];

/** The releases by year, newest first. */
export function releasesByYear(): { year: string; entries: Release[] }[] {
  const years = [...new Set(releases.map(({ date }) => date.slice(0, 4)))];
  return years.map((year) => ({ year, entries: releases.filter(({ date }) => date.startsWith(year)) }));
}
