import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import { Async, EmptyState } from '@/ui/states';
import { ListTable } from '@/ui/list/list-table';
import { usePageMeta } from '@/lib/page-meta';
import { searchQuery } from '../api/queries';
import { NO_MATCH, placeOf, whose, words } from './search-words';

/** Every result of a search, up to the bound that the page names. */
export function SearchPage() {
  const [params] = useSearchParams();
  const q = (params.get('q') ?? '').trim();
  usePageMeta({ title: 'Search' });
  const found = useQuery(searchQuery(q, true));
  const hits = found.data?.hits ?? [];
  return (
    <>
      <h1>Results for “{q}”</h1>
      {q && <Async query={found} what="the results" lines={8} />}
      {(!q || found.data) && hits.length === 0 && <EmptyState title={NO_MATCH} />}
      {hits.length > 0 && (
        <>
          <p role="status" className="console-hint">
            {found.data?.more
              ? `The first ${hits.length} are shown. There are more: type more of the name or number.`
              : `${hits.length} found`}
          </p>
          <ListTable
            caption="Results"
            rows={hits}
            rowKey={(hit) => `${hit.kind}-${hit.label}-${hit.customer_id ?? ''}`}
            columns={[
              { label: 'What matched', cell: (hit) => <Link to={placeOf(hit)}>{hit.label}</Link> },
              { label: 'Customer', cell: (hit) => whose(hit) },
              { label: 'Kind', cell: (hit) => words[hit.kind] },
            ]}
          />
        </>
      )}
    </>
  );
}
