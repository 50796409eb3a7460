import { Late, latePart } from '@/start/page/late';
import { PageHero } from '@/components/site/page-hero';
import './blog.scss';

const UnsubscribeForm = latePart(async () => (await import('./unsubscribe-form')).UnsubscribeForm);

/** Unsubscribing from the newsletter, as easy as subscribing. */
export function UnsubscribePage() {
  return (
    <>
      <PageHero
        title="Unsubscribe"
        description="Leave the newsletter of Franchise 360."
        intro="Give us the address to which the newsletter goes. If you subscribed while signed in, sign in first: nobody else can take you off the list."
      />
      <div className="container">
        <div className="narrow-form">
          <Late>
            <UnsubscribeForm />
          </Late>
        </div>
      </div>
    </>
  );
}
