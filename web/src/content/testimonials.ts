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
    name: 'A sweets maker',
    designation: 'Mumbai',
    image: 'sweets',
    example: true,
    feedback:
      'Eleven franchises in our first year, and I still know every evening what each of them sold. The app carries our own name, not somebody else’s.',
  },
  {
    id: 'delhi',
    name: 'A home-care brand',
    designation: 'Delhi',
    image: 'homecare',
    example: true,
    feedback:
      'We used to send price lists by message and hope. Now a new franchise is set up in an afternoon, with the right commissions from the first order.',
  },
  {
    id: 'pune',
    name: 'A wellness retailer',
    designation: 'Pune',
    image: 'wellness',
    example: true,
    feedback: 'The bill says what we pay for, line by line, with GST. My accountant stopped calling me about it.',
  },
  {
    id: 'jaipur',
    name: 'A block-print label',
    designation: 'Jaipur',
    image: 'fashion',
    example: true,
    feedback:
      'Our weavers’ co-operative could not have paid for a second shop. A host in Udaipur had the shop; we brought the label, the stock list and the training.',
  },
  {
    id: 'guwahati',
    name: 'A tea grower',
    designation: 'Guwahati',
    image: 'tea',
    example: true,
    feedback: 'The points bring people back for the second packet. That was always the hard one to sell.',
  },
];

/** The two of the home page. */
export const homeTestimonials = testimonials.filter(({ id }) => id === 'mumbai' || id === 'delhi');
