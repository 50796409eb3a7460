import { t } from '@lingui/core/macro';
import { Link, useSearchParams } from 'react-router';
import '@/styles/app.scss';

export interface PaginationProps {
  /** The name of the paginated content, for assistive technology. */
  label: string;
  current: number;
  last: number;
  /** The position in the list after which the next page begins, if the list has positions. */
  after?: string | undefined;
}

/** Links to the previous, current and next page; the page number is in the URL. */
export function Pagination({ label, current, last, after }: PaginationProps) {
  const [search] = useSearchParams();
  if (last <= 1 && current <= 1) return null;
  const href = (page: number) => {
    const params = new URLSearchParams(search);
    params.set('page', String(page));
    params.delete('after');
    if (after && page > current) params.set('after', after);
    return `?${params.toString()}`;
  };
  return (
    <nav className="pager" aria-label={label}>
      {current > 1 && <Link className="btn btn-quiet" rel="prev" to={href(current - 1)}>{t`Prev`}</Link>}
      <Link
        className="btn btn-quiet pager-page"
        aria-current="page"
        aria-label={t`Page ${current} of ${last}`}
        to={href(current)}
      >
        {current}
      </Link>
      {current < last && (
        <>
          <Link className="btn btn-quiet pager-page" aria-label={t`Page ${current + 1}`} to={href(current + 1)}>
            {current + 1}
          </Link>
          <Link className="btn btn-quiet" rel="next" to={href(current + 1)}>{t`Next`}</Link>
        </>
      )}
    </nav>
  );
}
