import { mkdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';

/** Where failed tests save the state of their pages; emptied at the start of the next run. */
export const results = join(import.meta.dirname, '../results');

/** Taking the screenshot of an unresponsive page is aborted after this long, in milliseconds. */
const LATEST_MS = 5000;

/** With E2E_TRACE every step is recorded, which takes time; the recording of a failed test is kept. */
const tracing = Boolean(process.env.E2E_TRACE);

/** Records the console messages and failed requests of a browser's pages from now on. */
export async function observe(context: BrowserContext): Promise<string[]> {
  const log: string[] = [];
  context.on('console', (message) => log.push(`${message.type()}: ${message.text()}`));
  context.on('requestfailed', (request) => log.push(`${request.method()} ${request.url()}: no answer`));
  context.on('response', (answer) => {
    if (answer.status() >= 400) log.push(`${answer.request().method()} ${answer.url()}: ${answer.status()}`);
  });
  if (tracing) await context.tracing.start({ screenshots: true, snapshots: true });
  return log;
}

/** Saves a screenshot of the page, its accessibility tree, its log, and the recording if there is one. */
export async function keepFailure(page: Page, log: string[], test: string): Promise<void> {
  const file = join(results, test.replace(/[^\p{L}\p{N}]+/gu, '-').slice(0, 150));
  await mkdir(results, { recursive: true });
  const kept = await Promise.allSettled([
    page.screenshot({ path: `${file}.png`, timeout: LATEST_MS }),
    page.locator('body').ariaSnapshot({ timeout: LATEST_MS }),
    tracing && page.context().tracing.stop({ path: `${file}.zip` }),
  ]);
  const screen = kept[1].status === 'fulfilled' ? kept[1].value : String(kept[1].reason);
  await writeFile(`${file}.txt`, `${page.url()}\n\n${log.join('\n')}\n\n${screen}\n`);
  process.stderr.write(`kept: ${relative(process.cwd(), file)}.*\n`);
}
