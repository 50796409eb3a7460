import { useQuery } from '@tanstack/react-query';
import { Notice } from '@/ui/notice';
import { lookersQuery, presenceQuery } from '../api/presence';

const names = new Intl.ListFormat('en-IN', { type: 'conjunction' });

/** The colleagues who have the same page open; shows a message if presence is unavailable. */
export function Presence({ page }: { page: string }) {
  const here = useQuery(presenceQuery(page));
  const others = here.data?.pages.find((one) => one.page === page)?.names ?? [];
  const unknown = here.isError || here.data?.known === false;
  return (
    <div role="status">
      {others.length > 0 && (
        <Notice tone="warning">
          {names.format(others)} {others.length === 1 ? 'is' : 'are'} looking at this too.
        </Notice>
      )}
      {unknown && (
        <p className="console-hint">We cannot tell at the moment whether a colleague is looking at this too.</p>
      )}
    </div>
  );
}

/** The presence key of the console page that a link opens; undefined if the page has no presence. */
function pageOf(link: string): string | undefined {
  const found = /^\/support\/(customer|contact|payment)s\/([\da-f-]{36})/.exec(link);
  return found ? `${found[1]}:${found[2]}` : undefined;
}

/** The names of the colleagues who have the pages of the links open. */
export function useLookers(links: string[]): (link: string) => string {
  const pages = [...new Set(links.flatMap((link) => pageOf(link) ?? []))].sort().slice(0, 200);
  const { data } = useQuery(lookersQuery(pages));
  return (link) => names.format(data?.pages.find(({ page }) => page === pageOf(link))?.names ?? []);
}

/** The colleagues who have the row's page open; renders nothing if the list is empty. */
export function Lookers({ who }: { who: string }) {
  return who ? <span className="console-hint d-block">Open at: {who}</span> : null;
}
