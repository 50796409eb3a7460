import { t } from '@lingui/core/macro';
import NextIcon from 'bootstrap-icons/icons/chevron-right.svg?component';
import PreviousIcon from 'bootstrap-icons/icons/chevron-left.svg?component';
import { useState, type ReactNode } from 'react';

interface CarouselSlide {
  id: string;
  content: ReactNode;
}

export interface CarouselProps {
  /** The name of the slides, for assistive technology. */
  label: string;
  /** The name of a single slide in the buttons' labels, e.g. "testimonial". */
  unit: string;
  slides: readonly CarouselSlide[];
  /** The current slide, if something outside the carousel also controls it. */
  active?: number;
  onChange?: (active: number) => void;
}

function place(index: number, active: number, count: number): string {
  if (index === active) return 'carousel-now';
  return index === (active - 1 + count) % count ? 'carousel-before' : 'carousel-after';
}

/** Shows one slide at a time in a loop, with dots and with arrows on hover and focus; it never advances automatically. */
export function Carousel({ label, unit, slides, active: given, onChange }: CarouselProps) {
  const [own, setOwn] = useState(0);
  const active = given ?? own;
  const setActive = (index: number) => {
    setOwn(index);
    onChange?.(index);
  };
  const move = (step: number) => setActive((active + step + slides.length) % slides.length);
  return (
    <section className="carousel-box" aria-roledescription="carousel" aria-label={label}>
      <div className="carousel-stage">
        <button
          type="button"
          className="btn btn-icon carousel-arrow"
          aria-label={t`Previous ${unit}`}
          onClick={() => move(-1)}
        >
          <PreviousIcon />
        </button>
        <div className="carousel-slides" aria-live="polite">
          {slides.map((slide, index) => (
            <div
              key={slide.id}
              role="group"
              aria-roledescription="slide"
              aria-label={t`${index + 1} of ${slides.length}`}
              className={`carousel-slide ${place(index, active, slides.length)}`}
              inert={index !== active}
            >
              {slide.content}
            </div>
          ))}
        </div>
        <button
          type="button"
          className="btn btn-icon carousel-arrow"
          aria-label={t`Next ${unit}`}
          onClick={() => move(1)}
        >
          <NextIcon />
        </button>
      </div>
      <div className="carousel-dots">
        {slides.map((slide, index) => (
          <button
            key={slide.id}
            type="button"
            className="carousel-dot"
            aria-label={t`Show ${unit} ${index + 1}`}
            aria-current={index === active ? 'true' : undefined}
            onClick={() => setActive(index)}
          />
        ))}
      </div>
    </section>
  );
}
