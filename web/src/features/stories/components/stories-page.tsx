import { t } from '@lingui/core/macro';
import { Carousel } from '@/components/carousel';
import { CallToAction } from '@/components/site/call-to-action';
import { PageHero } from '@/components/site/page-hero';
import { exampleNote } from '@/components/site/testimonial-card';
import { testimonials, type Testimonial } from '@/content/testimonials';
import { StoryArt } from './story-art';
import './stories.scss';

function Story({
  story: { name, designation, feedback, image, example },
  tone,
}: {
  story: Testimonial;
  tone: 'blue' | 'gold';
}) {
  return (
    <div className={`story story-${tone}`}>
      <StoryArt image={image} />
      <figure className="story-words">
        <blockquote>{feedback}</blockquote>
        <figcaption>
          <b>{name}</b>, {designation}
          {example && t` (example)`}
        </figcaption>
      </figure>
    </div>
  );
}

/** Owners' testimonials, one at a time, in alternating colours. */
export function StoriesPage() {
  const slides = testimonials.map((story, index) => ({
    id: story.id,
    content: <Story story={story} tone={index % 2 === 0 ? 'blue' : 'gold'} />,
  }));
  return (
    <>
      <PageHero
        title={t`Customer stories`}
        description={t`What growing by franchising with Franchise 360 is like, told in examples from five cities of India.`}
        intro={exampleNote(testimonials)}
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
