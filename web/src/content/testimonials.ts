import { t } from '@lingui/core/macro';
/** A testimonial: `designation` is a city. */
export interface Testimonial {
  id: string;
  name: string;
  designation: string;
  feedback: string;
  /** The line of business, which also chooses the drawing beside the words. */
  image: 'sweets' | 'homecare' | 'wellness' | 'fashion' | 'tea';
  /**
   * True while the words are ours and not a customer's; the pages then say so.
   * Put real ones in their place, with the person's written consent, and set this to false.
   */
  example: boolean;
}

export const testimonials: Testimonial[] = [
  {
    id: 'mumbai',
    name: t`A sweets maker`,
    designation: t`Mumbai`,
    image: 'sweets',
    example: true,
    feedback: t`Eleven franchises in our first year, and I still know every evening what each of them sold. The app carries our own name, not somebody else’s.`,
  },
  {
    id: 'delhi',
    name: t`A home-care brand`,
    designation: t`Delhi`,
    image: 'homecare',
    example: true,
    feedback: t`We used to send price lists by message and hope. Now a new franchise is set up in an afternoon, with the right commissions from the first order.`,
  },
  {
    id: 'pune',
    name: t`A wellness retailer`,
    designation: t`Pune`,
    image: 'wellness',
    example: true,
    feedback: t`The bill says what we pay for, line by line, with GST. My accountant stopped calling me about it.`,
  },
  {
    id: 'jaipur',
    name: t`A block-print label`,
    designation: t`Jaipur`,
    image: 'fashion',
    example: true,
    feedback: t`Our weavers’ co-operative could not have paid for a second shop. A host in Udaipur had the shop; we brought the label, the stock list and the training.`,
  },
  {
    id: 'guwahati',
    name: t`A tea grower`,
    designation: t`Guwahati`,
    image: 'tea',
    example: true,
    feedback: t`The points bring people back for the second packet. That was always the hard one to sell.`,
  },
];

/** The two of the home page. */
export const homeTestimonials = testimonials.filter(({ id }) => id === 'mumbai' || id === 'delhi');
