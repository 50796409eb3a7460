import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Accordion } from '@/ui/accordion';
import { ButtonLink } from '@/ui/button';
import { Carousel } from '@/ui/carousel';
import { PlanComparison } from '@/domain/plan-comparison/plan-comparison';
import { picturesNote, TestimonialCard } from '@/ui/site/testimonial-card';
import { testimonials } from '@/content/testimonials';
import { faq } from '@/lib/faq';
import { operator } from '@/lib/operator';
import { featureCards } from '../content';
import { usePlanType } from '../period';

/** Number of stories between the plans and the questions. */
const STORIES = 3;

function Testimonials() {
  const slides = testimonials
    .slice(0, STORIES)
    .map((testimonial) => ({ id: testimonial.id, content: <TestimonialCard testimonial={testimonial} wide /> }));
  return (
    <section className="container" aria-labelledby="stories">
      <h2 id="stories" className="text-center">{t`What businesses do with it`}</h2>
      <p className="text-muted text-center">{picturesNote}</p>
      <Carousel label={t`Testimonials`} unit={t`testimonial`} slides={slides} />
    </section>
  );
}

function Comparison() {
  const [planType] = usePlanType();
  return (
    <section className="container" aria-labelledby="side-by-side">
      <h2 id="side-by-side" className="text-center">{t`The plans side by side`}</h2>
      <PlanComparison planType={planType} />
    </section>
  );
}

/** Everything below the plans: comparison, contact, more features, testimonials and the questions. */
export function MoreAboutPlans() {
  return (
    <div className="pricing-more">
      <Comparison />
      <section className="container" aria-labelledby="compare">
        <div className="compare-band">
          <div>
            <h2 id="compare">{t`Not sure which one?`}</h2>
            <p>
              <Trans>
                See all plans line by line, or ask us: <a href={operator.phoneHref}>{operator.phone}</a>,{' '}
                <a href={`mailto:${operator.email}`}>{operator.email}</a>.
              </Trans>
            </p>
          </div>
          <ButtonLink to="/overview" size="lg">{t`Compare Subscription Plans`}</ButtonLink>
        </div>
      </section>
      <section className="container" aria-labelledby="more-features">
        <h2 id="more-features" className="text-center">{t`What your franchises work with`}</h2>
        <ul className="feature-cards">
          {featureCards.map(({ icon: Icon, title, text }) => (
            <li key={title}>
              <Icon />
              <h3>{title}</h3>
              <p className="text-muted">{text}</p>
            </li>
          ))}
        </ul>
      </section>
      <Testimonials />
      <section className="container faq-columns" aria-label={t`Frequently asked questions`}>
        {faq.map((group) => (
          <div key={group.id}>
            <h2>{group.title}</h2>
            <Accordion items={group.questions} />
          </div>
        ))}
      </section>
    </div>
  );
}
