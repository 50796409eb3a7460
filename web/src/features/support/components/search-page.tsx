import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import { EmptyState, QueryStates } from '@/components/states';
import { usePageMeta } from '@/lib/page-meta';
import { searchQuery } from '../api/queries';
import { ConsoleTable } from './console-table';
import { placeOf, whose, words } from './search-words';

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
      {q && <QueryStates query={found} what="the results" lines={8} />}
      {(!q || found.data) && hits.length === 0 && (
        <EmptyState title="Nobody found">
          Search by a name, a number or anything else that the customer names.
        </EmptyState>
      )}
      {hits.length > 0 && (
        <>
          <p role="status" className="console-hint">
            {found.data?.more
              ? `The first ${hits.length} are shown. There are more: type more of the name or number.`
              : `${hits.length} found`}
          </p>
          <ConsoleTable caption="Results" heads={['What matched', 'Customer', 'Kind']}>
            {hits.map((hit) => (
              <tr key={`${hit.kind}-${hit.label}-${hit.customer_id ?? ''}`}>
                <th scope="row">
                  <Link to={placeOf(hit)}>{hit.label}</Link>
                </th>
                <td data-label="Customer">{whose(hit)}</td>
                <td data-label="Kind">{words[hit.kind]}</td>
              </tr>
            ))}
          </ConsoleTable>
        </>
      )}
    </>
  );
}
