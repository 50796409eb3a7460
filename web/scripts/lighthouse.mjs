// Measures the public pages as a phone on slow 4G sees them: `make lighthouse` (a running stack, see below).
//   node scripts/lighthouse.mjs <folder of lighthouse> <address of the site> [path…]
// Each page is measured three times and the median counts. The limits are those of the house; one page beyond them
// fails the run. Without paths every page of the sitemap is measured, articles by one of each kind.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [, , tools, base = 'http://localhost:8080', ...given] = process.argv;
const RUNS = 3;
const LIMITS = { performance: 97, accessibility: 100, 'best-practices': 100, seo: 100 };
const MOST = { lcp: 1800, cls: 0.01, tbt: 100 };

const load = (name) => import(pathToFileURL(join(tools, 'node_modules', name)).href);
const { default: lighthouse } = await load('lighthouse/core/index.js');
const { launch } = await load('chrome-launcher/dist/index.js');

async function pathsOfSitemap() {
  const text = await (await fetch(`${base}/sitemap.xml`)).text();
  const paths = [...text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address]) => new URL(address).pathname);
  const kinds = new Set();
  return paths.filter((path) => {
    const [, folder, article] = path.split('/');
    if (!article) return true;
    const first = !kinds.has(folder);
    kinds.add(folder);
    return first;
  });
}

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

async function measure(port, path) {
  const { lhr } = await lighthouse(base + path, { port, output: 'json', logLevel: 'error', onlyCategories: Object.keys(LIMITS) });
  const scores = Object.fromEntries(Object.keys(LIMITS).map((name) => [name, Math.round((lhr.categories[name]?.score ?? 0) * 100)]));
  const value = (id) => lhr.audits[id]?.numericValue ?? 0;
  const failed = Object.values(lhr.audits).filter(({ score, scoreDisplayMode }) => scoreDisplayMode === 'binary' && score === 0);
  return { scores, lcp: value('largest-contentful-paint'), cls: value('cumulative-layout-shift'), tbt: value('total-blocking-time'), failed: failed.map(({ id }) => id) };
}

const paths = given.length > 0 ? given : await pathsOfSitemap();
const chrome = await launch({ chromePath: process.env.CHROMIUM ?? '/usr/bin/chromium', chromeFlags: ['--headless=new', '--no-sandbox', '--disable-gpu'] });
let faults = 0;
try {
  for (const path of paths) {
    const runs = [];
    for (let run = 0; run < RUNS; run += 1) runs.push(await measure(chrome.port, path));
    const scores = Object.fromEntries(Object.keys(LIMITS).map((name) => [name, median(runs.map((run) => run.scores[name]))]));
    const figures = Object.fromEntries(Object.keys(MOST).map((name) => [name, median(runs.map((run) => run[name]))]));
    const bad = [...Object.keys(LIMITS).filter((name) => scores[name] < LIMITS[name]), ...Object.keys(MOST).filter((name) => figures[name] > MOST[name])];
    faults += bad.length;
    const line = `${Object.values(scores).join(' / ')}  LCP ${(figures.lcp / 1000).toFixed(2)} s  CLS ${figures.cls.toFixed(3)}  TBT ${Math.round(figures.tbt)} ms`;
    process.stdout.write(`${bad.length === 0 ? 'ok  ' : 'BAD '} ${path.padEnd(40)} ${line}${bad.length === 0 ? '' : `  (${bad.join(', ')}; ${[...new Set(runs.flatMap((run) => run.failed))].join(', ')})`}\n`);
  }
} finally {
  await chrome.kill();
}
process.exitCode = faults === 0 ? 0 : 1;
