import { t } from '@lingui/core/macro';
import { Carousel } from '@/ui/carousel';
import { CallToAction } from '@/ui/site/call-to-action';
import { PageHero } from '@/ui/site/page-hero';
import { picturesNote, TestimonialCard } from '@/ui/site/testimonial-card';
import { testimonials } from '@/content/testimonials';
import './stories.scss';

/** What kinds of business do with the product, one at a time, in alternating colours. */
export function StoriesPage() {
  const slides = testimonials.map((story, index) => ({
    id: story.id,
    content: (
      <div className={`story story-${index % 2 === 0 ? 'blue' : 'gold'}`}>
        <TestimonialCard testimonial={story} level={2} wide sizes="(min-width: 1200px) 680px, 94vw" />
      </div>
    ),
  }));
  return (
    <>
      <PageHero
        title={t`Customer stories`}
        description={t`What five kinds of business in India do with Franchise 360, each with the screen on which they do it.`}
        intro={t`What five kinds of business do with Franchise 360. ${picturesNote}`}
      />
      <div className="container stories">
        <Carousel label={t`Customer stories`} unit={t`story`} slides={slides} />
      </div>
      <CallToAction
        title={t`Yours could be the next`}
        text={t`Tell us what you make and where it sells. We will tell you honestly whether a franchise system is right for you.`}
      />
    </>
  );
}
