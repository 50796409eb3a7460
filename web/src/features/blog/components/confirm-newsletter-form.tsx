import { t } from '@lingui/core/macro';
import { confirmNewsletter } from '../api/newsletter';
import { NewsletterLink, useLinkToken } from './newsletter-link';

/** Starts the newsletter by a click. */
export function ConfirmNewsletterForm() {
  return <NewsletterLink token={useLinkToken()} label={t`Confirm the newsletter`} act={confirmNewsletter} />;
}
