import { t } from '@lingui/core/macro';
import { latePart } from '@/start/page/late';
import { PageHero } from '@/ui/site/page-hero';
import './blog.scss';

const ConfirmNewsletterForm = latePart(async () => (await import('./confirm-newsletter-form')).ConfirmNewsletterForm, {
  when: 'loaded',
});

/** Where the link in the e-mail leads that starts the newsletter. */
export function ConfirmNewsletterPage() {
  return (
    <>
      <PageHero
        title={t`Confirm the newsletter`}
        description={t`Start the newsletter of Franchise 360.`}
        intro={t`One useful text about franchising in India, at most twice a month. You can leave it at any time by the link in each issue.`}
      />
      <div className="container">
        <div className="narrow-form">
          <ConfirmNewsletterForm />
        </div>
      </div>
    </>
  );
}
