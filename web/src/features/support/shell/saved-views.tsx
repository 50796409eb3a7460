import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation, useSearchParams } from 'react-router';
import { Button } from '@/ui/button';
import { savedViewsQuery, type SavedView, type ViewedList } from '../api/saved-views';
import { SavedViewDialog, type ViewDraft } from './saved-view-dialog';

/** What of an address is a place in the list or an opened row, and no filter. */
const places = ['page', 'before', 'job', 'operation'];

/** The filters of the URL, sorted, so that equal filters give equal strings. */
function filtersOf(params: URLSearchParams): string {
  const kept = new URLSearchParams([...params].filter(([name, value]) => value && !places.includes(name)));
  kept.sort();
  return kept.toString();
}

/** The saved filters of a list, private and shared; the current filters can be saved too. */
export function SavedViews({ list }: { list: ViewedList }) {
  const views = useQuery(savedViewsQuery(list)).data?.views;
  const { pathname } = useLocation();
  const [params] = useSearchParams();
  const [draft, setDraft] = useState<ViewDraft>();
  const now = filtersOf(params);
  const same = (view: SavedView) => filtersOf(new URLSearchParams(view.query)) === now;
  const here = views?.find(same);
  if (!views || (views.length === 0 && !now)) return null;
  return (
    <nav className="saved-views" aria-label="Saved views">
      {views.length > 0 && (
        <ul>
          {views.map((view) => (
            <li key={view.id}>
              <Link to={`${pathname}?${view.query}`} aria-current={view === here ? 'true' : undefined}>
                {view.name}
                {view.shared && (
                  <span className="console-hint"> {view.may_change ? '(shared)' : `(of ${view.owner})`}</span>
                )}
              </Link>
            </li>
          ))}
        </ul>
      )}
      {now && !here && (
        <Button size="sm" variant="quiet" onClick={() => setDraft({ list, query: now, name: '', shared: false })}>
          Save these filters
        </Button>
      )}
      {here?.may_change && (
        <Button
          size="sm"
          variant="quiet"
          onClick={() => setDraft({ list, query: here.query, id: here.id, name: here.name, shared: here.shared })}
        >
          Change view
        </Button>
      )}
      {draft && <SavedViewDialog draft={draft} onClose={() => setDraft(undefined)} />}
    </nav>
  );
}
