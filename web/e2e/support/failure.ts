import { mkdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';

/** Where a test that fails leaves what its page showed; emptied when the next run begins. */
export const results = join(import.meta.dirname, '../results');

/** The picture of a page that no longer answers is given up after this long, in milliseconds. */
const LATEST_MS = 5000;

/** With E2E_TRACE set every step is recorded, which takes time; the recording of a test that fails is kept. */
const tracing = Boolean(process.env.E2E_TRACE);

/** Writes down from now on what a browser's pages say on their console, and which of their requests fail. */
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

/** Keeps a picture of the page, what it reads out, what it logged, and the recording where there is one. */
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
