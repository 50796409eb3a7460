import { t } from '@lingui/core/macro';
import { useSearchParams } from 'react-router';
import { ButtonLink } from '../button';
import { EmptyState } from '../states';

/** The words of a page behind the last page of a list, such as a page whose only row was dealt with. */
export function PastEnd() {
  const [search] = useSearchParams();
  const first = new URLSearchParams(search);
  for (const place of ['page', 'after']) first.delete(place);
  return (
    <EmptyState
      title={t`The list ends before this page`}
      action={<ButtonLink to={`?${first.toString()}`}>{t`First page`}</ButtonLink>}
    />
  );
}
