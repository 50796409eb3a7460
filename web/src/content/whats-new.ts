import { t } from '@lingui/core/macro';
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
    title: t`Invoices that your accountant accepts`,
    description: t`You get a GST tax invoice for every payment, with an unbroken serial number, CGST and SGST or IGST by place of supply, and the amount in words. For refunds you get a credit note.`,
  },
  {
    date: '2026-10-05',
    title: t`Change plans in the middle of a term`,
    description: t`Move up at once with unused days credited, or move down at renewal. You see every figure before you confirm.`,
  },
  {
    date: '2026-08-17',
    title: t`A dark theme, and the whole site by keyboard`,
    description: t`Every screen works with keyboard and screen reader alone, at 400% zoom, in light and dark.`,
  },
  {
    date: '2026-05-11',
    title: t`Payments that are never lost`,
    description: t`If the connection breaks at the bank’s page, we check with the payment provider until we know, then complete your order or return your money.`,
  },
  {
    date: '2025-11-03',
    title: t`Domains checked automatically`,
    description: t`Your own domain is verified by a DNS record and checked again every day. If a record goes missing, your dashboard shows it.`,
  },
  {
    date: '2025-07-14',
    title: t`Add-ons by the day`,
    description: t`Add-ons bought in the middle of a term are billed by the day, and one click cancels them for the next term.`,
  },
  {
    date: '2025-02-10',
    title: t`UPI on every plan`,
    description: t`Pay a subscription by UPI, card, net banking or wallet, on the payment provider’s secure page.`,
  },
  {
    date: '2024-10-21',
    title: t`Reward portal for franchise owners`,
    description: t`Franchise owners see what their customers redeem, and what they earn from it.`,
  },
  {
    date: '2024-06-03',
    title: t`Commission structures with levels`,
    description: t`Set what each level earns per product or per category; changes apply from the next order.`,
  },
  {
    date: '2024-01-15',
    title: t`Distribution model setup`,
    description: t`We map warehouses, distributors and outlets with you and put the result into the platform.`,
  },
  {
    date: '2023-09-04',
    title: t`White-label apps for iOS`,
    description: t`After Android and web, your own app for iPhone, published under your name.`,
  },
  {
    date: '2023-04-17',
    title: t`Inventory across locations`,
    description: t`Stock of all outlets in one view, with a minimum per product and outlet.`,
  },
  {
    date: '2022-11-28',
    title: t`Franchisee onboarding`,
    description: t`Invite a partner by mobile number; the outlets assigned to them are there when they sign in.`,
  },
  {
    date: '2022-07-11',
    title: t`Franchise 360 begins`,
    description: t`A store for a brand and its first franchises, with orders, products and a reward programme.`,
  },
];

/** The releases by year, newest first. */
export function releasesByYear(): { year: string; entries: Release[] }[] {
  const years = [...new Set(releases.map(({ date }) => date.slice(0, 4)))];
  return years.map((year) => ({ year, entries: releases.filter(({ date }) => date.startsWith(year)) }));
}
