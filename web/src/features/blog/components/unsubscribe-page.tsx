import { t } from '@lingui/core/macro';
import { latePart } from '@/start/page/late';
import { PageHero } from '@/ui/site/page-hero';
import './blog.scss';

const UnsubscribeForm = latePart(async () => (await import('./unsubscribe-form')).UnsubscribeForm, { when: 'loaded' });

/** Unsubscribing from the newsletter, as easy as subscribing. */
export function UnsubscribePage() {
  return (
    <>
      <PageHero
        title={t`Unsubscribe`}
        description={t`Leave the newsletter of Franchise 360.`}
        intro={t`Open the link in an issue to leave at once. Without an issue, give us the address to which the newsletter goes, and we send the link there.`}
      />
      <div className="container">
        <div className="narrow-form">
          <UnsubscribeForm />
        </div>
      </div>
    </>
  );
}
