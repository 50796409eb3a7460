// Finishes the build: writes the public pages as HTML, the shell of all other pages, the page for unknown
// addresses, the sitemap and the list of addresses. %PUBLIC_URL% is filled in by the server when it starts.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';

// The folders may be given, so that a build beside the usual one is possible: the site's, then the server module's.
const [
  ,
  ,
  built = join(import.meta.dirname, '../dist'),
  server = join(import.meta.dirname, '../node_modules/.prerender'),
] = process.argv;
const dist = resolve(built);
const ORIGIN = '%PUBLIC_URL%';
const { nowhere, pages, patterns, render, siteName } = await import(
  pathToFileURL(join(resolve(server), 'entry-server.js')).href
);

const escape = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
const meta = (key, name, content) => (content ? `<meta ${key}="${name}" content="${escape(content)}" />` : '');

const withoutComments = (script) =>
  script
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\n\s*/g, ' ')
    .trim();

/** The scripts that must run before the first paint are part of the page: they are shorter than a request for them. */
async function earlyScripts() {
  const texts = await Promise.all(['theme.js', 'early-input.js'].map((name) => readFile(join(dist, name), 'utf8')));
  return `<script>${withoutComments(texts.join(''))}</script>`;
}

const lateScripts = withoutComments(await readFile(join(import.meta.dirname, 'late-scripts.js'), 'utf8'));
const MODULE =
  /\s*<(?:script type="module"[^>]* src="([^"]+)"><\/script>|link rel="modulepreload"[^>]* href="([^"]+)"[^>]*>)/g;

/** The page with one script in place of its module scripts; that script asks for them after the first paint. */
function paintedFirst(page) {
  const entries = [];
  const others = [...started].map((key) => `/${manifest[key].file}`).filter((file) => !page.includes(`src="${file}"`));
  const rest = page.replace(MODULE, (_, entry, other) => {
    if (entry) entries.push(entry);
    else if (!others.includes(other)) others.push(other);
    return '';
  });
  return rest.replace(
    '</head>',
    () => `  <script data-files="${[...others, ...entries].join(' ')}">${lateScripts}</script>\n  </head>`,
  );
}

/** Both font files are asked for at once: the rupee sign is in the second. */
async function fontPreloads() {
  const fonts = (await readdir(join(dist, 'assets'))).filter((name) => name.endsWith('.woff2'));
  return fonts
    .sort()
    .reverse()
    .map((name) => `<link rel="preload" href="/assets/${name}" as="font" type="font/woff2" crossorigin />`);
}

async function write(path, text) {
  const file = join(dist, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

/** Adds a chunk and all that it imports. */
function visit(key, into) {
  if (into.has(key)) return;
  into.add(key);
  for (const next of manifest[key]?.imports ?? []) visit(next, into);
}

/** The chunks that every page starts with: the entry, and what it asks for in turn. */
function chunksOfEveryPage() {
  const found = new Set();
  visit('index.html', found);
  for (const part of manifest['index.html'].dynamicImports) visit(part, found);
  return found;
}

/** The scripts and style sheets that a page's modules need beyond those of every page, and the sheets of its late parts. */
function assetsOf(sources, late) {
  const seen = new Set();
  const visitAll = (names, into) => {
    for (const name of names) {
      if (!manifest[name]) throw new Error(`no chunk was built from ${name}`);
      visit(name, into);
    }
    return [...into].filter((key) => !started.has(key)).map((key) => manifest[key]);
  };
  const own = visitAll(sources, seen);
  const all = visitAll(late, new Set(seen));
  return {
    styles: [...new Set(all.flatMap((chunk) => chunk.css ?? []))],
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
    ...page.structured.map(
      (document) =>
        `<script type="application/ld+json">${JSON.stringify(document).replaceAll('<', '\\u003c')}</script>`,
    ),
  ].filter(Boolean);
}

const manifest = JSON.parse(await readFile(join(dist, '.vite/manifest.json'), 'utf8'));
const started = chunksOfEveryPage();
const fonts = await fontPreloads();
const early = await earlyScripts();
const template = await readFile(join(dist, 'index.html'), 'utf8');

const SHEET = /\s*<link rel="stylesheet"[^>]*href="\/(assets\/[^"]+)"[^>]*>/g;
const common = [...template.matchAll(SHEET)].map(([, file]) => file);

/**
 * The rules of a page are part of it, those of every page before its own. The disabled links are not fetched; by
 * them the loader of later parts sees that the rules are there.
 */
async function inlined(styles) {
  const files = [...common, ...styles];
  const rules = await Promise.all(files.map((file) => readFile(join(dist, file), 'utf8')));
  const marks = files.map((file) => `<link rel="stylesheet" crossorigin href="/${file}" disabled />`);
  return [`<style>${rules.join('').replaceAll('\n', '')}</style>`, ...marks];
}

async function compose({ html = '', title, head = [], styles = [] }) {
  const rules = await inlined(styles);
  const page = template
    .replace(SHEET, '')
    .replace(/\s*<script src="\/[a-z-]+\.js"><\/script>/g, '')
    .replace(/<title>.*<\/title>/, (found) => (title ? `<title>${escape(title)}</title>` : found))
    .replace('<!--app-head-->', () => [early, ...rules, ...fonts, ...head].join('\n    '))
    .replace('<!--app-html-->', () => html);
  // The empty shell has nothing to show until its scripts are there.
  return html ? paintedFirst(page) : page;
}

const noindex = '<meta name="robots" content="noindex" />';
await write('app.html', await compose({ head: [noindex] }));
const missing = await render(nowhere);
await write('404.html', await compose({ html: missing.html, title: missing.title, head: [noindex] }));

const entries = [];
for (const path of pages) {
  const page = await render(path);
  if (!page.description) throw new Error(`${path} describes itself with no word`);
  const { styles, scripts } = assetsOf(page.sources, page.late);
  await write(
    join(path.toLowerCase(), 'index.html'),
    await compose({ html: page.html, title: page.title, head: [...headOf(path, page), ...scripts], styles }),
  );
  entries.push(`  <url><loc>${ORIGIN}${path}</loc>${page.changed ? `<lastmod>${page.changed}</lastmod>` : ''}</url>`);
}
const sitemap = `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join('\n')}\n</urlset>\n`;
await write('sitemap.xml', sitemap);
await write(
  'robots.txt',
  `User-agent: *\nAllow: /\nDisallow: /api/\nDisallow: /checkout/\nDisallow: /support\n\nSitemap: ${ORIGIN}/sitemap.xml\n`,
);
await write('routes.json', JSON.stringify(patterns));

/** Scripts and styles are compressed as far as it goes, once and here, instead of at every start of a server. */
const compress = promisify(brotliCompress);
for (const name of await readdir(join(dist, 'assets'))) {
  if (!/\.(js|css)$/.test(name)) continue;
  const body = await readFile(join(dist, 'assets', name));
  await writeFile(
    join(dist, 'assets', `${name}.br`),
    await compress(body, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: body.length } }),
  );
}
await rm(join(dist, '.vite'), { recursive: true });
process.stdout.write(`prerendered ${pages.length} pages, ${patterns.length} addresses\n`);
