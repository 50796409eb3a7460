import { t } from '@lingui/core/macro';
/** The product's name. The operator's name and contact details are in operator.ts. */
export const site = {
  name: 'Franchise 360',
  tagline: t`We empower your business with cutting-edge solutions for sustainable growth and success.`,
} as const;

/** The document title of a page: "Login – Franchise 360", or just the name for the home page. */
export function documentTitle(page?: string): string {
  return page ? `${page} – ${site.name}` : t`Franchise 360`;
}
