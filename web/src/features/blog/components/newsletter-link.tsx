import { t } from '@lingui/core/macro';
import { Link } from 'react-router';
import { Button } from '@/ui/button';
import { Notice } from '@/ui/notice';
import { WithData } from '@/domain/with-data';
import { explain } from '@/lib/api/errors';
import { useNewsletterLink } from '../api/newsletter';

export interface NewsletterLinkProps {
  /** The token of the link; empty for a page opened without one. */
  token: string;
  label: string;
  act: (token: string) => Promise<{ message: string }>;
  /** The page that sends a new link. */
  again?: string;
}

/** One button that acts on the link, so that a mail scanner that opens links changes nothing. */
export function NewsletterLink(props: NewsletterLinkProps) {
  return (
    <WithData>
      <ActOnLink {...props} />
    </WithData>
  );
}

function ActOnLink({ token, label, act, again }: NewsletterLinkProps) {
  const link = useNewsletterLink(act);
  if (!token)
    return (
      <Notice tone="warning">
        {t`This page needs the link from our e-mail. Open that link, or ask for a new one.`}{' '}
        {again && <Link to={again}>{t`Ask for a new link`}</Link>}
      </Notice>
    );
  if (link.isSuccess)
    return (
      <Notice tone="success" live>
        {link.data.message}
      </Notice>
    );
  return (
    <>
      {link.isError && (
        <Notice tone="danger" live>
          {explain(link.error)} {again && <Link to={again}>{t`Ask for a new link`}</Link>}
        </Notice>
      )}
      <Button size="lg" pending={link.isPending} onClick={() => link.mutate(token)}>
        {label}
      </Button>
    </>
  );
}
