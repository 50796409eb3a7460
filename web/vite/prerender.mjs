// Finishes the build: writes the public pages as HTML, the shell of all other pages, the page for unknown
// addresses, the sitemap and the list of addresses. %PUBLIC_URL% is filled in by the server when it starts.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';

// The folders may be given, so that a build beside the usual one is possible: the site's, then the server module's.
const [, , built = join(import.meta.dirname, '../dist'), server = join(import.meta.dirname, '../node_modules/.prerender')] = process.argv;
const dist = resolve(built);
const ORIGIN = '%PUBLIC_URL%';
const { nowhere, pages, patterns, render, siteName } = await import(pathToFileURL(join(resolve(server), 'entry-server.js')).href);

const escape = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
const meta = (key, name, content) => (content ? `<meta ${key}="${name}" content="${escape(content)}" />` : '');

/** Both font files are asked for at once: the rupee sign is in the second. */
async function fontPreloads() {
  const fonts = (await readdir(join(dist, 'assets'))).filter((name) => name.endsWith('.woff2'));
  return fonts.sort().reverse().map((name) => `<link rel="preload" href="/assets/${name}" as="font" type="font/woff2" crossorigin />`);
}

async function write(path, text) {
  const file = join(dist, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

/** The scripts and style sheets that a page's modules need beyond those of every page. */
function assetsOf(manifest, sources) {
  const seen = new Set();
  const common = new Set();
  const visit = (key, into) => {
    if (into.has(key)) return;
    into.add(key);
    for (const next of manifest[key]?.imports ?? []) visit(next, into);
  };
  visit('index.html', common);
  for (const source of sources) {
    if (!manifest[source]) throw new Error(`no chunk was built from ${source}`);
    visit(source, seen);
  }
  const own = [...seen].filter((key) => !common.has(key)).map((key) => manifest[key]);
  const styles = [...new Set(own.flatMap((chunk) => chunk.css ?? []))];
  return {
    styles: styles.map((file) => `<link rel="stylesheet" crossorigin href="/${file}" />`),
    scripts: own.map((chunk) => `<link rel="modulepreload" crossorigin href="/${chunk.file}" />`),
  };
}

function headOf(path, page) {
  const address = ORIGIN + path;
  return [
    meta('name', 'description', page.description),
    `<link rel="canonical" href="${address}" />`,
    meta('property', 'og:site_name', siteName),
    meta('property', 'og:type', page.kind),
    meta('property', 'og:title', page.title),
    meta('property', 'og:description', page.description),
    meta('property', 'og:url', address),
    meta('property', 'og:locale', 'en_IN'),
    meta('property', 'og:image', `${ORIGIN}/og.jpg`),
    meta('property', 'og:image:width', '1200'),
    meta('property', 'og:image:height', '630'),
    meta('property', 'og:image:alt', `${siteName}: a shop in the middle of its franchises`),
    meta('name', 'twitter:card', 'summary_large_image'),
    ...page.structured.map((document) => `<script type="application/ld+json">${JSON.stringify(document).replaceAll('<', '\\u003c')}</script>`),
  ].filter(Boolean);
}

const manifest = JSON.parse(await readFile(join(dist, '.vite/manifest.json'), 'utf8'));
const fonts = await fontPreloads();
const template = await readFile(join(dist, 'index.html'), 'utf8');

/** A page's own style sheets stand after those of every page, in the order in which the browser would load them. */
function compose({ html = '', title, head = [], styles = [] }) {
  return template
    .replace(/<title>.*<\/title>/, (found) => (title ? `<title>${escape(title)}</title>` : found))
    .replace('<!--app-head-->', () => [...fonts, ...head].join('\n    '))
    .replace('</head>', () => [...styles, '</head>'].join('\n    '))
    .replace('<!--app-html-->', () => html);
}

const noindex = '<meta name="robots" content="noindex" />';
await write('app.html', compose({ head: [noindex] }));
const missing = await render(nowhere);
await write('404.html', compose({ html: missing.html, title: missing.title, head: [noindex] }));

const entries = [];
for (const path of pages) {
  const page = await render(path);
  if (!page.description) throw new Error(`${path} describes itself with no word`);
  const { styles, scripts } = assetsOf(manifest, page.sources);
  await write(join(path.toLowerCase(), 'index.html'), compose({ html: page.html, title: page.title, head: [...headOf(path, page), ...scripts], styles }));
  entries.push(`  <url><loc>${ORIGIN}${path}</loc>${page.changed ? `<lastmod>${page.changed}</lastmod>` : ''}</url>`);
}
const sitemap = `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join('\n')}\n</urlset>\n`;
await write('sitemap.xml', sitemap);
await write('robots.txt', `User-agent: *\nAllow: /\nDisallow: /api/\nDisallow: /checkout/\nDisallow: /support\n\nSitemap: ${ORIGIN}/sitemap.xml\n`);
await write('routes.json', JSON.stringify(patterns));

/** Scripts and styles are compressed as far as it goes, once and here, instead of at every start of a server. */
const compress = promisify(brotliCompress);
for (const name of await readdir(join(dist, 'assets'))) {
  if (!/\.(js|css)$/.test(name)) continue;
  const body = await readFile(join(dist, 'assets', name));
  await writeFile(join(dist, 'assets', `${name}.br`), await compress(body, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: body.length } }));
}
await rm(join(dist, '.vite'), { recursive: true });
process.stdout.write(`prerendered ${pages.length} pages, ${patterns.length} addresses\n`);
