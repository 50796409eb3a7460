import { Link, useSearchParams } from 'react-router';

export interface CursorPagesProps {
  /** The name of the pages, for assistive technology. */
  label: string;
  /** The position at which the next page begins; nothing on the last page. */
  next: string | number | null | undefined;
}

/** Links to the newest and the next earlier page of a list with positions; the position is in the URL, beside the filters. */
export function CursorPages({ label, next }: CursorPagesProps) {
  const [search] = useSearchParams();
  const to = (before: string) => {
    const params = new URLSearchParams(search);
    if (before) params.set('before', before);
    else params.delete('before');
    return `?${params.toString()}`;
  };
  if (!next && !search.has('before')) return null;
  return (
    <nav className="entry-acts" aria-label={label}>
      {search.has('before') && (
        <Link className="btn btn-quiet" to={to('')}>
          Newest
        </Link>
      )}
      {next && (
        <Link className="btn btn-quiet" rel="next" to={to(String(next))}>
          Earlier
        </Link>
      )}
    </nav>
  );
}
