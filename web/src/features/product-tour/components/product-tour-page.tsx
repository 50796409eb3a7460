import { t } from '@lingui/core/macro';
import PauseIcon from 'bootstrap-icons/icons/pause-fill.svg?component';
import PlayIcon from 'bootstrap-icons/icons/play-fill.svg?component';
import { useDeferredValue, type FocusEvent } from 'react';
import { Button, ButtonLink } from '@/ui/button';
import { CallToAction } from '@/ui/site/call-to-action';
import { PageHero } from '@/ui/site/page-hero';
import { ProductShot } from '@/ui/site/product-shot';
import { tourSteps } from '@/content/tour';
import { useHydrated } from '@/lib/session/session';
import { useAutoplay } from '../use-autoplay';
import './tour.scss';

function Tour() {
  const { active, playing, choose, toggle, hold } = useAutoplay(tourSteps.length);
  // The first picture must not compete for bandwidth with those of later steps, which are rendered in slices.
  const hydrated = useDeferredValue(useHydrated());
  const handleBlur = (event: FocusEvent<HTMLElement>) => {
    if (!event.currentTarget.contains(event.relatedTarget)) hold('focus', false);
  };
  return (
    <section className="container tour" aria-labelledby="tour-steps">
      <h2 id="tour-steps" className="visually-hidden">{t`Steps`}</h2>
      <div
        className="tour-grid"
        onMouseEnter={() => hold('pointer', true)}
        onMouseLeave={() => hold('pointer', false)}
        onFocus={() => hold('focus', true)}
        onBlur={handleBlur}
      >
        <ol className="tour-steps">
          {tourSteps.map(({ id, title, text }, index) => (
            <li key={id}>
              <button
                type="button"
                className="tour-step"
                aria-current={index === active ? 'step' : undefined}
                onClick={() => choose(index)}
              >
                <b>
                  {index + 1}. {title}
                </b>
                <span>{text}</span>
              </button>
            </li>
          ))}
        </ol>
        <div className="tour-pictures">
          {tourSteps.map(({ id, shot, alt }, index) => (
            <div
              key={id}
              className={index === active ? 'tour-picture tour-picture-now' : 'tour-picture'}
              aria-hidden={index !== active}
            >
              {(index === 0 || hydrated) && <ProductShot name={shot} alt={alt} eager={index === 0} />}
            </div>
          ))}
        </div>
      </div>
      <div className="tour-controls">
        <Button variant="outline" onClick={toggle}>
          {playing ? <PauseIcon /> : <PlayIcon />}
          {playing ? t`Pause the tour` : t`Play the tour`}
        </Button>
        <p className="text-muted text-sm" aria-hidden="true">
          {t`Step ${active + 1} of ${tourSteps.length}`}
        </p>
      </div>
    </section>
  );
}

/** The product in seven steps, advancing automatically until the visitor interacts. */
export function ProductTourPage() {
  return (
    <>
      <PageHero
        title={t`Product tour`}
        description={t`Franchise 360 in seven steps: sign up, business address, plan, payment details, store, dashboard and outlets, in pictures of the product.`}
        intro={t`From sign-up to your first outlets in seven steps. It plays automatically. Tap a step to pause.`}
        actions={<ButtonLink to="/start-free-trial" size="lg">{t`Start free trial`}</ButtonLink>}
      />
      <Tour />
      <CallToAction />
    </>
  );
}
