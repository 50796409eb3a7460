import { t } from '@lingui/core/macro';
import ArrowIcon from 'bootstrap-icons/icons/arrow-right.svg?component';
import { useState } from 'react';
import { Link } from 'react-router';
import { Carousel } from '@/components/carousel';
import { hasShot, ProductShot } from '@/components/site/product-shot';
import { Section } from '@/components/site/section';
import { exampleNote, TestimonialCard } from '@/components/site/testimonial-card';
import { previews } from '@/content/home';
import { homeTestimonials } from '@/content/testimonials';
import { releases } from '@/content/whats-new';

/** Shows the product's views one at a time. */
export function DashboardPreview() {
  const slides = previews.map(({ id, title, text, shot, sketch }) => ({
    id,
    title,
    content: (
      <figure className="preview-slide">
        <ProductShot name={shot} sketch={sketch} alt={`${title}: ${text}`} />
        <figcaption>
          <h3>{title}</h3>
          <p className="text-muted">{text}</p>
          {!hasShot(shot) && (
            <p className="text-muted text-sm">{t`Illustration. This part runs in a connected system that we set up with you.`}</p>
          )}
        </figcaption>
      </figure>
    ),
  }));
  return (
    <Section id="preview" title={t`One dashboard, every outlet`} intro={t`Look around before you sign up.`}>
      <PreviewTabs slides={slides} />
    </Section>
  );
}

type Slides = Parameters<typeof Carousel>[0]['slides'];

function PreviewTabs({ slides }: { slides: (Slides[number] & { title: string })[] }) {
  const [active, setActive] = useState(0);
  return (
    <div className="preview">
      <ul className="preview-names" aria-label={t`Views`}>
        {slides.map(({ id, title }, index) => (
          <li key={id}>
            <button type="button" aria-pressed={index === active} onClick={() => setActive(index)}>
              {title}
            </button>
          </li>
        ))}
      </ul>
      <Carousel label={t`Dashboard preview`} unit={t`view`} slides={slides} active={active} onChange={setActive} />
    </div>
  );
}

export function Stories() {
  return (
    <Section id="stories" tone="surface" title={t`What it is like`} intro={exampleNote(homeTestimonials)}>
      <ul className="card-grid card-grid-2">
        {homeTestimonials.map((testimonial) => (
          <li key={testimonial.id}>
            <TestimonialCard testimonial={testimonial} />
          </li>
        ))}
      </ul>
      <p className="text-center mt-5">
        <Link to="/customerStories" className="arrow-link">
          {t`More stories`} <ArrowIcon />
        </Link>
      </p>
    </Section>
  );
}

/** The newest release, to show visitors that the product is actively developed. */
export function NewAddition() {
  const newest = releases[0];
  if (!newest) return null;
  return (
    <section className="container" aria-labelledby="new-addition">
      <div className="new-addition">
        <p className="tag tag-gold">{t`New addition`}</p>
        <div>
          <h2 id="new-addition">{newest.title}</h2>
          <p className="text-muted">{newest.description}</p>
        </div>
        <Link to="/whats-new" className="arrow-link">
          {t`All news`} <ArrowIcon />
        </Link>
      </div>
    </section>
  );
}
