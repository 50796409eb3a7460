import { t } from '@lingui/core/macro';
import { Link } from 'react-router';
import { latePart } from '@/start/page/late';

const NewsletterForm = latePart(async () => (await import('./newsletter-form')).NewsletterForm, { when: 'loaded' });

/** The newsletter sign-up, stored with the consent given for it. */
export function NewsletterBox() {
  return (
    <section className="newsletter" aria-labelledby="newsletter">
      <div className="stack-sm">
        <h2 id="newsletter">{t`The newsletter`}</h2>
        <p className="text-muted">
          {t`One useful text about franchising in India, at most twice a month. No advertising for others.`}
        </p>
        <p className="text-muted text-sm">
          <Link to="/privacy">{t`See how we use your address`}</Link>. <Link to="/unsubscribe">{t`Unsubscribe`}</Link>
        </p>
      </div>
      <div className="stack-sm">
        <NewsletterForm />
      </div>
    </section>
  );
}
