import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import type { Manifest } from 'vite';
import { DEFAULT_LANGUAGE, languageCodes, languages, type LanguageCode } from '../../lib/languages.ts';
import type { Shared } from '../../../vite/shared.ts';
import type * as Server from '../entry/server.tsx';
import { assetsOf, chunksOfEveryPage, filesOf } from './chunks.ts';
import { inlineScript } from './inline-script.ts';
import {
  addressIn,
  alternatesOf,
  datedPage,
  fill,
  headOf,
  ORIGIN,
  paintedFirst,
  sheetsOf,
  type PageParts,
} from './page-html.ts';

const NO_INDEX = '<meta name="robots" content="noindex" />';

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

/** Both font files are preloaded: the rupee sign is in the second. */
async function fontPreloads(dist: string): Promise<string[]> {
  const fonts = (await readdir(join(dist, 'assets'))).filter((name) => name.endsWith('.woff2'));
  return fonts
    .sort()
    .reverse()
    .map((name) => `<link rel="preload" href="/assets/${name}" as="font" type="font/woff2" crossorigin />`);
}

/**
 * The rules of a page are part of it, those of every page before its own. The disabled links are not fetched; by
 * them the loader of later parts sees that the rules are there.
 */
async function inlined(dist: string, files: readonly string[]): Promise<string[]> {
  const rules = await Promise.all(files.map((file) => readFile(join(dist, file), 'utf8')));
  const marks = files.map((file) => `<link rel="stylesheet" crossorigin href="/${file}" disabled />`);
  return [`<style>${rules.join('').replaceAll('\n', '')}</style>`, ...marks];
}

/** Knows the built client; composes pages of it. */
async function composer(dist: string, manifest: Manifest, shared: Shared, day: string) {
  const template = datedPage(await readFile(join(dist, 'index.html'), 'utf8'), day);
  const fonts = await fontPreloads(dist);
  const late = await inlineScript('late-scripts', shared);
  const started = filesOf(manifest, chunksOfEveryPage(manifest));
  return async ({ styles = [], ...parts }: PageParts & { styles?: string[] }): Promise<string> => {
    const rules = await inlined(dist, [...sheetsOf(template), ...styles]);
    const page = fill(template, { ...parts, head: [...rules, ...fonts, ...parts.head] });
    // The shell shows only a loading state, so its scripts load at once.
    return parts.title ? paintedFirst(page, started, late) : page;
  };
}

/** Scripts and styles are compressed as far as it goes, once and here, instead of at every start of a server. */
async function compressAll(folder: string): Promise<void> {
  const compress = promisify(brotliCompress);
  const names = await readdir(folder);
  for (const name of names) {
    if (!/\.(js|css)$/.test(name) || names.includes(`${name}.br`)) continue;
    const body = await readFile(join(folder, name));
    const options = { params: { [constants.BROTLI_PARAM_SIZE_HINT]: body.length } };
    await writeFile(join(folder, `${name}.br`), await compress(body, options));
  }
}

function sitemap(pages: readonly { path: string; changed: string; untranslated: boolean }[]): string {
  const entries = pages.flatMap(({ path, changed, untranslated }) => {
    const alternates = untranslated ? [] : alternatesOf(path);
    const links = alternates.map(
      ({ tag, address }) => `<xhtml:link rel="alternate" hreflang="${tag}" href="${address}"/>`,
    );
    const codes = untranslated ? [DEFAULT_LANGUAGE] : languageCodes;
    return codes.map(
      (code) =>
        `  <url><loc>${addressIn(code, path)}</loc>${changed ? `<lastmod>${changed}</lastmod>` : ''}${links.join('')}</url>`,
    );
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${entries.join('\n')}
</urlset>
`;
}

const ROBOTS = `User-agent: *
Allow: /
Disallow: /api/
Disallow: /checkout/
Disallow: /support
${Object.values(languages)
  .filter(({ base }) => base)
  .map(({ base }) => `Disallow: ${base}/checkout/\nDisallow: ${base}/support\n`)
  .join('')}
Sitemap: ${ORIGIN}/sitemap.xml
`;

export interface Build {
  /** The folder that the server serves. */
  dist: string;
  /** That of the built client: `dist` itself for the default language. */
  client: string;
  language: LanguageCode;
  shared: Shared;
}

/**
 * Writes the public pages of a language as HTML into `dist`, the shell of all other pages, and the page for unknown
 * addresses; those of the default language at the top, with the sitemap and the list of addresses of all languages,
 * the others in the folder that their addresses begin with.
 */
export async function prerenderSite({ dist, client, language, shared }: Build, server: typeof Server): Promise<void> {
  const { builtOn, nowhere, pages, patterns, render, siteName, waiting } = server;
  const manifest = JSON.parse(await readFile(join(client, '.vite/manifest.json'), 'utf8')) as Manifest;
  const compose = await composer(client, manifest, shared, builtOn);
  const folder = join(dist, languages[language].base);
  await write(join(folder, 'app.html'), await compose({ html: waiting, head: [NO_INDEX] }));
  const missing = await render(nowhere);
  await write(join(folder, '404.html'), await compose({ html: missing.html, title: missing.title, head: [NO_INDEX] }));
  const written: { path: string; changed: string; untranslated: boolean }[] = [];
  for (const path of pages) {
    const page = await render(path);
    if (!page.description) throw new Error(`${path} describes itself with no word`);
    const { styles, scripts } = assetsOf(manifest, page.sources, page.late);
    const preloads = scripts.map((file) => `<link rel="modulepreload" crossorigin href="/${file}" />`);
    const head = [...headOf(path, page, siteName, language), ...preloads];
    const text = await compose({ html: page.html, title: page.title, head, styles });
    await write(join(folder, path.toLowerCase(), 'index.html'), text);
    written.push({ path, changed: page.changed, untranslated: page.untranslated });
  }
  if (language === DEFAULT_LANGUAGE) {
    await write(join(dist, 'sitemap.xml'), sitemap(written));
    await write(join(dist, 'robots.txt'), ROBOTS);
    await write(join(dist, 'routes.json'), JSON.stringify(patterns));
  } else {
    // Scripts without a word are the same files in every language, by the same names.
    await cp(join(client, 'assets'), join(dist, 'assets'), { recursive: true });
  }
  await compressAll(join(dist, 'assets'));
  await rm(join(client, '.vite'), { recursive: true });
  process.stdout.write(`prerendered ${pages.length} pages in ${language}, ${patterns.length} addresses\n`);
}
