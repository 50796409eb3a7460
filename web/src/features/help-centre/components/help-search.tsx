import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import SearchIcon from 'bootstrap-icons/icons/search.svg?component';
import { useCallback, useEffect, useState, type FormEvent } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { Button } from '@/ui/button';
import { Notice } from '@/ui/notice';
import { useHydrated } from '@/lib/session/session';
import { loadEntries, search, type Entry, type Hit } from '../search';

const PARAM = 'q';

function Results({ query, hits }: { query: string; hits: Hit[] }) {
  return (
    <div className="help-results">
      <p role="status" className="text-muted">
        {hits.length === 0
          ? t`Nothing found for “${query}”.`
          : plural(hits.length, { one: '# article found', other: '# articles found' })}
      </p>
      {hits.length === 0 ? (
        <p>
          <Trans>
            Try fewer or other words, or <Link to="/contact?topic=support">write to us</Link>.
          </Trans>
        </p>
      ) : (
        <ul aria-label={t`Search results`}>
          {hits.map(({ meta, excerpt }) => (
            <li key={meta.slug}>
              <Link to={`/helpcenter/${meta.slug}`}>{meta.title}</Link>
              <p className="text-muted">{excerpt}</p>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Searches the help articles in the browser as you type; the query is kept in the URL. */
export function HelpSearch() {
  const [params, setParams] = useSearchParams();
  const hydrated = useHydrated();
  const query = hydrated ? (params.get(PARAM) ?? '') : '';
  const [entries, setEntries] = useState<Entry[] | null>(null);
  const [failed, setFailed] = useState(false);
  const navigate = useNavigate();

  const load = useCallback(() => {
    loadEntries().then(
      (loaded) => {
        setEntries(loaded);
        setFailed(false);
      },
      () => setFailed(true),
    );
  }, []);
  // A query that came with the URL, or was typed before the index had loaded.
  const wanted = query !== '' && !entries && !failed;
  useEffect(() => {
    if (wanted) load();
  }, [wanted, load]);

  const handleChange = (value: string) => {
    setParams(value ? { [PARAM]: value } : {}, { replace: true, preventScrollReset: true });
  };
  const hits = entries ? search(entries, query) : [];
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    const first = hits[0];
    if (first && hits.length === 1) void navigate(`/helpcenter/${first.meta.slug}`);
  };
  return (
    <div className="help-search">
      <form role="search" aria-label={t`Help articles`} onSubmit={handleSubmit}>
        <label htmlFor="help-query">{t`Search the help articles`}</label>
        <div className="help-search-box">
          <SearchIcon />
          <input
            id="help-query"
            type="search"
            autoComplete="off"
            spellCheck={false}
            value={query}
            onFocus={entries ? undefined : load}
            onChange={(event) => handleChange(event.target.value)}
          />
        </div>
      </form>
      {failed && (
        <Notice tone="danger" live>
          <Trans>
            The search could not be loaded.{' '}
            <Button variant="quiet" size="sm" onClick={load}>
              Retry
            </Button>
          </Trans>
        </Notice>
      )}
      {query.trim() && entries && <Results query={query.trim()} hits={hits} />}
    </div>
  );
}
