import { DEFAULT_LANGUAGE, languageCodes, languages, type LanguageCode } from '../../lib/languages.ts';
import { BUILT_ATTRIBUTE } from '../../lib/today.ts';
import type { RenderedPage } from '../entry/server.tsx';

/** Stands for the site's address; the server fills it in when it starts. */
export const ORIGIN = '%PUBLIC_URL%';

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

const meta = (key: 'name' | 'property', name: string, content: string): string =>
  content ? `<meta ${key}="${name}" content="${escapeHtml(content)}" />` : '';

export type PageHead = Pick<RenderedPage, 'title' | 'description' | 'kind' | 'structured' | 'untranslated'>;

/** The address of a page in a language; the home page alone keeps its slash. */
export const addressIn = (language: LanguageCode, path: string): string =>
  ORIGIN + languages[language].base + (path === '/' && languages[language].base ? '' : path);

/** The URLs of a page in every language, including the current one, as search engines require. */
export function alternatesOf(path: string): { tag: string; address: string }[] {
  return [
    ...languageCodes.map((code) => ({ tag: languages[code].tag, address: addressIn(code, path) })),
    { tag: 'x-default', address: addressIn(DEFAULT_LANGUAGE, path) },
  ];
}

/** A page's metadata for search engines and link previews. A page without a translation names the English URL as canonical. */
export function headOf(path: string, page: PageHead, siteName: string, language: LanguageCode): string[] {
  const address = addressIn(page.untranslated ? DEFAULT_LANGUAGE : language, path);
  return [
    meta('name', 'description', page.description),
    `<link rel="canonical" href="${address}" />`,
    ...(page.untranslated ? [] : alternatesOf(path)).map(
      ({ tag, address: href }) => `<link rel="alternate" hreflang="${tag}" href="${href}" />`,
    ),
    meta('property', 'og:site_name', siteName),
    meta('property', 'og:type', page.kind),
    meta('property', 'og:title', page.title),
    meta('property', 'og:description', page.description),
    meta('property', 'og:url', address),
    meta('property', 'og:locale', languages[page.untranslated ? DEFAULT_LANGUAGE : language].locale),
    meta('property', 'og:image', `${ORIGIN}/og.jpg`),
    meta('property', 'og:image:width', '1200'),
    meta('property', 'og:image:height', '630'),
    meta('property', 'og:image:alt', `${siteName}: a shop in the middle of its franchises`),
    meta('name', 'twitter:card', 'summary_large_image'),
    ...page.structured.map(
      (document) =>
        `<script type="application/ld+json">${JSON.stringify(document).replaceAll('<', '\\u003c')}</script>`,
    ),
  ].filter(Boolean);
}

const SHEET = /\s*<link rel="stylesheet"[^>]*href="\/(assets\/[^"]+)"[^>]*>/g;
const MODULE =
  /\s*<(?:script type="module"[^>]* src="([^"]+)"><\/script>|link rel="modulepreload"[^>]* href="([^"]+)"[^>]*>)/g;

/** The style sheets that the built page links. */
export const sheetsOf = (template: string): string[] => [...template.matchAll(SHEET)].flatMap(([, file]) => file ?? []);

export interface PageParts {
  /** The markup of the page. */
  html?: string;
  /** The shell uses the site's title. */
  title?: string;
  head: readonly string[];
}

/** The page with the day on which it was built, by which the browser repeats its first render. */
export const datedPage = (template: string, day: string): string =>
  template.replace('<html', `<html ${BUILT_ATTRIBUTE}="${day}"`);

/** Fills the built page: the style sheets are taken out, because their rules are among the parts of the head. */
export function fill(template: string, { html = '', title, head }: PageParts): string {
  return template
    .replace(SHEET, '')
    .replace(/<title>.*<\/title>/, (found) => (title ? `<title>${escapeHtml(title)}</title>` : found))
    .replace('<!--app-head-->', () => head.join('\n    '))
    .replace('<!--app-html-->', () => html);
}

/**
 * Replaces the page's module scripts with one inline script. It loads them after the first paint: first `started`, the files of every page,
 * and the entry last.
 */
export function paintedFirst(page: string, started: readonly string[], script: string): string {
  const entries: string[] = [];
  const others = started.map((file) => `/${file}`).filter((file) => !page.includes(`src="${file}"`));
  const rest = page.replace(MODULE, (_, entry?: string, other?: string) => {
    if (entry) entries.push(entry);
    else if (other && !others.includes(other)) others.push(other);
    return '';
  });
  const files = [...others, ...entries].join(' ');
  return rest.replace('</head>', () => `  <script data-files="${files}">${script}</script>\n  </head>`);
}
