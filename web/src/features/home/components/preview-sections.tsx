import { t } from '@lingui/core/macro';
import ArrowIcon from 'bootstrap-icons/icons/arrow-right.svg?component';
import { useState } from 'react';
import { Link } from 'react-router';
import { Carousel } from '@/ui/carousel';
import { ProductShot } from '@/ui/site/product-shot';
import { Section } from '@/ui/site/section';
import { picturesNote, TestimonialCard } from '@/ui/site/testimonial-card';
import { previews, type PreviewSlide } from '@/content/home';
import { homeTestimonials } from '@/content/testimonials';
import { releases } from '@/content/whats-new';

function Preview({ title, text, shot }: Omit<PreviewSlide, 'id'>) {
  if (!shot) {
    return (
      <div className="preview-slide preview-words">
        <h3>{title}</h3>
        <p className="preview-sentence">{text}</p>
        <p className="preview-where">{t`Runs in a connected system`}</p>
      </div>
    );
  }
  return (
    <div className="preview-slide">
      <ProductShot name={shot} alt="" sizes="(min-width: 1200px) 960px, 94vw" />
      <h3>{title}</h3>
      <p className="text-muted">{text}</p>
    </div>
  );
}

/** Shows the product's views one at a time. */
export function DashboardPreview() {
  const [active, setActive] = useState(0);
  const slides = previews.map(({ id, ...preview }) => ({ id, content: <Preview {...preview} /> }));
  return (
    <Section id="preview" title={t`Look around before you sign up`}>
      <div className="preview">
        <ul className="preview-names" aria-label={t`Views`}>
          {previews.map(({ id, title }, index) => (
            <li key={id}>
              <button type="button" aria-pressed={index === active} onClick={() => setActive(index)}>
                {title}
              </button>
            </li>
          ))}
        </ul>
        <Carousel label={t`Dashboard preview`} unit={t`view`} slides={slides} active={active} onChange={setActive} />
      </div>
    </Section>
  );
}

export function Stories() {
  return (
    <Section id="stories" tone="surface" start title={t`What businesses do with it`} intro={picturesNote}>
      <ul className="home-stories">
        {homeTestimonials.map((testimonial) => (
          <li key={testimonial.id}>
            <TestimonialCard testimonial={testimonial} />
          </li>
        ))}
      </ul>
      <Link to="/customerStories" className="arrow-link">
        {t`More stories`} <ArrowIcon />
      </Link>
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
        <h2 id="new-addition">{newest.title}</h2>
        <Link to="/whats-new" className="arrow-link">
          {t`All news`} <ArrowIcon />
        </Link>
      </div>
    </section>
  );
}
