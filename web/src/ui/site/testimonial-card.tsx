import { t } from '@lingui/core/macro';
import type { Testimonial } from '@/content/testimonials';
import { ProductShot } from './product-shot';
import './site.scss';

export interface TestimonialCardProps {
  testimonial: Testimonial;
  /** The level of its heading. */
  level?: 2 | 3;
  /** Puts the words beside the picture on wide screens. */
  wide?: boolean;
  /** The width of the picture, as in the `sizes` attribute of HTML. */
  sizes?: string;
}

/** What a kind of business does with the product, below the picture that shows it. */
export function TestimonialCard({
  testimonial: { name, designation, feedback, image },
  level = 3,
  wide,
  sizes,
}: TestimonialCardProps) {
  const Heading = `h${level}` as const;
  return (
    <div className={`testimonial-card ${wide ? 'testimonial-card-wide' : ''}`}>
      <ProductShot name={image} alt="" sizes={sizes} />
      <div>
        <p className="eyebrow">{designation}</p>
        <Heading>{name}</Heading>
        <p className="text-muted">{feedback}</p>
      </div>
    </div>
  );
}

/** Whose screens the pictures show. */
export const picturesNote = t`The pictures show our sample store.`;
