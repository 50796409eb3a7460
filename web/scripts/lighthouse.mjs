// Measures the public pages as a phone on slow 4G sees them: `make lighthouse` (a running stack, see below).
//   node scripts/lighthouse.mjs <folder of lighthouse> <address of the site> [--runs 3] [--quick] [path…]
// Each page is measured three times and the median counts; --quick measures once. A page above a limit fails the run.
// Without paths it measures every page of the sitemap, but only one article of each kind, in some twelve minutes.
// The figures need a quiet machine. The run prints the machine's load, and Lighthouse's CPU benchmark for each page.
// Ignore the figures above a load of 2, or if the benchmark changes from page to page.
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { pathToFileURL } from 'node:url';
import { chromiumPath } from './chromium.mjs';
import { sitemapPaths } from './links.mjs';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: 'string', default: '3' }, quick: { type: 'boolean', default: false } },
});
const [tools = '', base = 'http://localhost:8080', ...given] = positionals;
const RUNS = options.quick ? 1 : Number(options.runs);
const LIMITS = { performance: 97, accessibility: 100, 'best-practices': 100, seo: 100 };
const MOST = { lcp: 1800, cls: 0.01, tbt: 100 };
/** The same for a page in another language than English, which brings the letters of a second script. */
const MOST_TRANSLATED = { ...MOST, lcp: 2000 };
/** The limit of the files that the home page names in its markup or requests before it has loaded, in KB. */
const HEAVIEST = { script: 114, font: 31 };

const chromePath = chromiumPath();

/** @param {string} name */
const load = (name) => import(pathToFileURL(join(tools, 'node_modules', name)).href);
const { default: lighthouse } = await load('lighthouse/core/index.js');
const { launch } = await load('chrome-launcher/dist/index.js');

async function pathsOfSitemap() {
  const kinds = new Set();
  return (await sitemapPaths(base)).filter((path) => {
    const [, folder, article] = path.split('/');
    if (!article) return true;
    const first = !kinds.has(folder);
    kinds.add(folder);
    return first;
  });
}

/**
 * What is read of Lighthouse's report.
 * @typedef {{ resourceType: string, networkRequestTime: number, url: string, transferSize: number }} Request
 * @typedef {{ items?: any[] }} Details
 * @typedef {{ id: string, score: number | null, scoreDisplayMode: string, numericValue?: number, details?: Details }} Audit
 * @typedef {{ audits: Record<string, Audit>, categories: Record<string, { score: number | null }>, environment: { benchmarkIndex: number } }} Report
 */

/** @param {number[]} values */
const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
/**
 * @template {string} Name
 * @param {Record<Name, unknown>} record
 */
const names = (record) => /** @type {Name[]} */ (Object.keys(record));
/**
 * @template {string} Name
 * @param {Record<Name, unknown>} record
 * @param {(name: Name) => number} value
 */
const each = (record, value) =>
  /** @type {Record<Name, number>} */ (Object.fromEntries(names(record).map((name) => [name, value(name)])));

/**
 * The size of one kind of files requested before the page loaded, in KB. Scripts are requested after the first paint, which may come later,
 * so they are read from the markup.
 * @param {string} kind
 * @param {Request[]} requests
 * @param {number} loadedAt
 * @param {string} markup
 */
function weightOf(kind, requests, loadedAt, markup) {
  const own = requests.filter(
    ({ resourceType, networkRequestTime, url }) =>
      resourceType.toLowerCase() === kind && (networkRequestTime < loadedAt || markup.includes(new URL(url).pathname)),
  );
  return own.reduce((sum, { transferSize }) => sum + transferSize, 0) / 1024;
}

/**
 * @param {number} port
 * @param {string} path
 */
async function measure(port, path) {
  /** @type {{ lhr: Report }} */
  const { lhr } = await lighthouse(base + path, {
    port,
    output: 'json',
    logLevel: 'error',
    onlyCategories: names(LIMITS),
  });
  /** @param {string} id */
  const value = (id) => lhr.audits[id]?.numericValue ?? 0;
  /** @type {Request[]} */
  const requests = lhr.audits['network-requests']?.details?.items ?? [];
  const loadedAt = lhr.audits['metrics']?.details?.items?.[0]?.observedLoad ?? Infinity;
  const markup = await (await fetch(base + path)).text();
  const failed = Object.values(lhr.audits).filter(
    ({ score, scoreDisplayMode }) => scoreDisplayMode === 'binary' && score === 0,
  );
  const figures = {
    ...each(LIMITS, (name) => Math.round((lhr.categories[name]?.score ?? 0) * 100)),
    lcp: value('largest-contentful-paint'),
    cls: value('cumulative-layout-shift'),
    tbt: value('total-blocking-time'),
    all: requests.reduce((sum, { transferSize }) => sum + transferSize, 0) / 1024,
    ...each(HEAVIEST, (kind) => weightOf(kind, requests, loadedAt, markup)),
    cpu: lhr.environment.benchmarkIndex,
  };
  return { figures, failed: failed.map(({ id }) => id) };
}

/** @param {string} line */
const say = (line) => process.stdout.write(`${line}\n`);
const load1 = () => `load ${loadavg()[0]?.toFixed(1)}`;

const paths = given.length > 0 ? given : await pathsOfSitemap();
const started = Date.now();
say(`${paths.length} pages, ${RUNS === 1 ? 'once' : `median of ${RUNS}`}, ${chromePath}, ${load1()}`);
const chrome = await launch({ chromePath, chromeFlags: ['--headless=new', '--no-sandbox', '--disable-gpu'] });
let faults = 0;
try {
  for (const path of paths) {
    const most = /^\/[a-z]{2}(\/|$)/.test(path) ? MOST_TRANSLATED : MOST;
    /** @type {Awaited<ReturnType<typeof measure>>[]} */
    const runs = [];
    for (let run = 0; run < RUNS; run += 1) runs.push(await measure(chrome.port, path));
    const found = each({ ...LIMITS, ...MOST, ...HEAVIEST, all: 0, cpu: 0 }, (name) =>
      median(runs.map(({ figures }) => figures[name])),
    );
    const bad = [
      ...names(LIMITS).filter((name) => found[name] < LIMITS[name]),
      ...names(most).filter((name) => found[name] > most[name]),
      ...names(HEAVIEST).filter((name) => path === '/' && found[name] > HEAVIEST[name]),
    ];
    faults += bad.length;
    const scores = names(LIMITS)
      .map((name) => String(found[name]).padStart(3))
      .join(' ');
    const figures = `LCP ${(found.lcp / 1000).toFixed(2)} s  CLS ${found.cls.toFixed(3)}  TBT ${String(Math.round(found.tbt)).padStart(3)} ms  JS ${Math.round(found.script)} KB, all ${Math.round(found.all)} KB  cpu ${Math.round(found.cpu)}  ${load1()}`;
    const broken = [...new Set(runs.flatMap(({ failed }) => failed))];
    say(
      `${bad.length === 0 ? 'ok  ' : 'BAD '} ${path.padEnd(34)} ${scores}  ${figures}${bad.length + broken.length === 0 ? '' : `  (${[...bad, ...broken].join(', ')})`}`,
    );
  }
} finally {
  await chrome.kill();
}
say(
  `${faults === 0 ? 'every page is within the limits' : `${faults} figures are beyond the limits`}, ${Math.round((Date.now() - started) / 1000)} s, ${load1()}`,
);
process.exitCode = faults === 0 ? 0 : 1;
