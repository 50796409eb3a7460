/** Who runs this site and how to reach them. Change it here; every page reads it from here. */
export const site = {
  name: 'Franchise 360',
  tagline: 'We empower your business with cutting-edge solutions for sustainable growth and success.',
  email: 'help@franchise360.example',
  phone: '+91 80 4710 3600',
  phoneHref: 'tel:+918047103600',
} as const;

/** The document title of a page: "Login – Franchise 360", or the bare name for the home page. */
export function documentTitle(page?: string): string {
  return page ? `${page} – ${site.name}` : site.name;
}
