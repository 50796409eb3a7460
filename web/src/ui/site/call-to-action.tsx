import { t } from '@lingui/core/macro';
import { ButtonLink } from '@/ui/button';
import './site.scss';

export interface CallToActionProps {
  title?: string;
  text?: string;
}

/** The closing section of a page: what to do next. */
export function CallToAction({
  title = t`Open your next outlet without paying for it`,
  text = t`14 days free, without a card.`,
}: CallToActionProps) {
  return (
    <section className="container cta" aria-labelledby="next-step">
      <div className="cta-panel">
        <h2 id="next-step">{title}</h2>
        <p>{text}</p>
        <div className="actions">
          <ButtonLink to="/pricing" size="lg" className="btn-on-brand">{t`Get Started`}</ButtonLink>
          <ButtonLink
            to="/start-free-trial"
            size="lg"
            variant="quiet"
            className="btn-ghost-on-brand"
          >{t`Start free trial`}</ButtonLink>
        </div>
      </div>
    </section>
  );
}
