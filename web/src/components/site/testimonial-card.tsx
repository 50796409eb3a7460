import { t } from '@lingui/core/macro';
import QuoteIcon from 'bootstrap-icons/icons/quote.svg?component';
import type { Testimonial } from '@/content/testimonials';
import './site.scss';

/** A testimonial; examples are marked as such. */
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
            {example && t` · example`}
          </span>
        </span>
      </figcaption>
    </figure>
  );
}

/** States that the testimonials are examples, as long as any of them is. */
export function exampleNote(testimonials: readonly Testimonial[]): string | undefined {
  return testimonials.some(({ example }) => example)
    ? t`Illustrative examples, not the words of real customers.`
    : undefined;
}
