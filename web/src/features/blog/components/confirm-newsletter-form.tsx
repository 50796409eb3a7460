import { t } from '@lingui/core/macro';
import { useLinkToken } from '@/lib/link-token';
import { confirmNewsletter } from '../api/newsletter';
import { NewsletterLink } from './newsletter-link';

/** Starts the newsletter by a click. */
export function ConfirmNewsletterForm() {
  const token = useLinkToken();
  if (token === undefined) return null;
  return (
    <NewsletterLink token={token} label={t`Confirm the newsletter`} act={confirmNewsletter} again="/blog#newsletter" />
  );
}
