import { text } from 'node:stream/consumers';
import { renderToStaticMarkup } from 'react-dom/server';
import { prerenderToNodeStream } from 'react-dom/static';
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from 'react-router';
import { PageMetaContext, type PageMeta } from '@/lib/page-meta';
import { languageBase } from '@/lib/language';
import { documentTitle, site } from '@/lib/site';
import { builtOn } from '@/lib/today';
import { loadMatches } from './load-matches';
import { Waiting } from '../page/waiting';
import { patternsOf } from '@/app/route-list';
import { loadConsole, siteRoutes } from '@/app/router';
import { doorRoutes } from '@/app/routes/onboarding';
import { publicRoutes } from '@/app/routes/public';
import { lastChanged, structuredData } from '@/app/structured-data';

/** A prerendered page: its markup, what belongs into the head, and the sources of the chunks that it needs. */
export interface RenderedPage {
  html: string;
  title: string;
  description: string;
  /** The JSON-LD documents that describe the page to search engines. */
  structured: object[];
  /** "article" for a page with an author and a date, as Open Graph defines it. */
  kind: 'website' | 'article';
  /** The day of the last change, "2026-11-21"; empty if unknown. */
  changed: string;
  /** Whether its text is English in every language. */
  untranslated: boolean;
  /** The page's own modules, relative to the web client's folder. */
  sources: string[];
  /** Those of its late parts. */
  late: string[];
}

const routes = siteRoutes(await loadConsole());

/** Every address of the site, so that the server can tell an unknown one. */
export const patterns = patternsOf(routes);

/** The addresses that are written to files: all public ones without a parameter, and the doors. */
export const pages = patternsOf([...publicRoutes, ...doorRoutes]).filter((path) => !path.includes(':'));

/** An address that leads nowhere, by which the page for all such addresses is rendered. */
export const nowhere = '/404';

export const siteName = site.name;

export { builtOn };

/** The markup of the shell of all screens that are not rendered. */
export const waiting = renderToStaticMarkup(<Waiting />);

/** Renders one address as an anonymous visitor sees it. */
export async function render(path: string): Promise<RenderedPage> {
  await loadMatches(routes, path);
  const handler = createStaticHandler(routes, { basename: languageBase || undefined });
  const context = await handler.query(new Request(`http://localhost${languageBase}${path}`));
  if (context instanceof Response) throw new Error(`${path} redirects and cannot be prerendered`);
  let meta: PageMeta = {};
  const faults: unknown[] = [];
  const { prelude } = await prerenderToNodeStream(
    <PageMetaContext value={(found) => (meta = found)}>
      <StaticRouterProvider
        router={createStaticRouter(handler.dataRoutes, context)}
        context={context}
        hydrate={false}
      />
    </PageMetaContext>,
    {
      // Render in one piece: late parts are in place in the file, without a script that moves them.
      progressiveChunkSize: Number.MAX_SAFE_INTEGER,
      // React leaves out a late part that throws, and the browser reports it only at hydration.
      onError: (error) => void faults.push(error),
    },
  );
  const html = await text(prelude);
  if (faults.length > 0) throw new Error(`${path} cannot be prerendered`, { cause: faults[0] });
  const handles = context.matches.map(
    ({ route }) => route.handle as { sources?: string[]; late?: string[]; translated?: boolean } | undefined,
  );
  const description = meta.description ?? '';
  return {
    html,
    title: documentTitle(meta.title),
    description,
    structured: structuredData(path, meta.title ?? '', description),
    kind: /^\/(blog|helpcenter)\/[^/]+$/.test(path) ? 'article' : 'website',
    changed: lastChanged(path),
    untranslated: !handles.some((handle) => handle?.translated),
    sources: handles.flatMap((handle) => handle?.sources ?? []),
    late: handles.flatMap((handle) => handle?.late ?? []),
  };
}
