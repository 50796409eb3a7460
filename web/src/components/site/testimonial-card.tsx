import QuoteIcon from 'bootstrap-icons/icons/quote.svg?component';
import type { Testimonial } from '@/content/testimonials';
import './site.scss';

/** What somebody says of the product; an example says that it is one. */
export function TestimonialCard({
  testimonial: { name, designation, feedback, example },
}: {
  testimonial: Testimonial;
}) {
  return (
    <figure className="quote-card">
      <QuoteIcon />
      <blockquote>{feedback}</blockquote>
      <figcaption>
        <span className="avatar" aria-hidden="true">
          {designation.charAt(0)}
        </span>
        <span>
          <b>{name}</b>
          <span className="text-muted d-block text-sm">
            {designation}
            {example && ' · example'}
          </span>
        </span>
      </figcaption>
    </figure>
  );
}

/** Says that testimonials are examples, for as long as one of them is. */
export function exampleNote(testimonials: readonly Testimonial[]): string | undefined {
  return testimonials.some(({ example }) => example)
    ? 'Examples of what owners tell us they want; not the words of real customers.'
    : undefined;
}
