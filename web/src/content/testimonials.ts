import { t } from '@lingui/core/macro';

/** What one kind of business does with the product, in our own words; `designation` is a city. */
export interface Testimonial {
  id: string;
  name: string;
  designation: string;
  feedback: string;
  /** The picture of the product that shows it. */
  image: string;
}

export const testimonials: Testimonial[] = [
  {
    id: 'mumbai',
    name: t`A sweets maker`,
    designation: t`Mumbai`,
    image: 'outlets',
    feedback: t`Lists its outlets by city and partner, and sees which are open, planned or paused.`,
  },
  {
    id: 'delhi',
    name: t`A home-care brand`,
    designation: t`Delhi`,
    image: 'partners',
    feedback: t`Invites partners by mobile number. Each signs in with a code and sees their own outlets.`,
  },
  {
    id: 'pune',
    name: t`A wellness retailer`,
    designation: t`Pune`,
    image: 'billing',
    feedback: t`Downloads the GST invoice of every payment, and exports the list for the accountant.`,
  },
  {
    id: 'jaipur',
    name: t`A block-print label`,
    designation: t`Jaipur`,
    image: 'domain',
    feedback: t`Links its own web address with two DNS records, and copies each with one tap.`,
  },
  {
    id: 'guwahati',
    name: t`A tea grower`,
    designation: t`Guwahati`,
    image: 'store',
    feedback: t`Sees how much of its franchise limit is used before it opens the next outlet.`,
  },
];

/** The two of the home page. */
export const homeTestimonials = testimonials.filter(({ id }) => id === 'mumbai' || id === 'delhi');
