import axe, { type AxeResults, type RunOptions } from 'axe-core';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { afterEach, beforeEach, expect, inject } from 'vitest';
import { INDIA } from '../../scripts/chromium.mjs';
import { keepFailure, observe } from './failure';
import { markupFaults } from './markup';
import { siteUrl } from './own-stack';

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const launch = (...more: string[]) =>
  chromium.launch({ executablePath: inject('chromium'), headless: true, args: [...flags, ...more], timeout: 180_000 });

/** The worker's Chromium for all its tests, started by the first and closed with the process; replaced if it crashes. */
let shared: Promise<Browser> | undefined;

async function sharedBrowser(): Promise<Browser> {
  if (!(await shared)?.isConnected()) shared = launch();
  return shared as Promise<Browser>;
}

/** The widths at which every flow runs, in CSS pixels. */
export const widths = { phone: 360, tablet: 768, desktop: 1280 } as const;

export interface Session {
  page: Page;
  context: BrowserContext;
  /** What no page may do: throw, hydrate with a mismatch, or violate the content security policy. */
  faults: string[];
  /** The pages' console messages and failed requests. */
  log: string[];
  close: () => Promise<void>;
}

export interface SessionOptions {
  width?: number;
  height?: number;
  dark?: boolean;
  /** The base URL: the stack's own site unless another api of it is used. */
  site?: string;
  /** A custom domain that resolves to the stack; it requires a separate Chromium. */
  domain?: string;
}

/** Opens a window without cookies or cache. Close it at the end of the test. */
export async function openBrowser({
  width = widths.desktop,
  height = 900,
  dark = false,
  site = siteUrl(),
  domain,
}: SessionOptions = {}): Promise<Session> {
  const browser = domain
    ? await launch(`--host-resolver-rules=MAP ${domain}:80 127.0.0.1:${new URL(siteUrl()).port}`)
    : await sharedBrowser();
  const context = await browser.newContext({
    baseURL: site,
    viewport: { width, height },
    colorScheme: dark ? 'dark' : 'light',
    ...INDIA,
  });
  const log = await observe(context);
  context.setDefaultTimeout(120_000); // a busy machine is slow
  const page = await context.newPage();
  const faults: string[] = [];
  context.on('weberror', (error) => faults.push(error.error().message));
  context.on('console', (message) => {
    if (message.type() === 'error' && /content security policy|hydrat|react error/i.test(message.text()))
      faults.push(message.text());
  });
  const close = () => (domain ? browser.close() : context.close());
  return { page, context, faults, log, close };
}

/**
 * Opens a window before each test and closes it afterwards; fails if a page did what no page may do. For a test that
 * fails, the state of its page is saved.
 */
export function inBrowser(
  options: SessionOptions | (() => SessionOptions),
  opened: (session: Session) => unknown,
): void {
  let session: Session | undefined;
  beforeEach(async () => {
    session = await openBrowser(typeof options === 'function' ? options() : options);
    await opened(session);
  });
  afterEach(async ({ task }) => {
    const failed = task.result?.state === 'fail' || (session?.faults.length ?? 0) > 0;
    if (session && failed) await keepFailure(session.page, session.log, task.fullName);
    await session?.close();
    expect(session?.faults).toEqual([]);
    session = undefined;
  });
}

/** Waits until the page is hydrated. */
export async function takenOver(page: Page): Promise<void> {
  await page.locator('html[data-hydrated]').waitFor({ state: 'attached' });
}

/** A public page renders its lower parts only after the first user action; waits until all of it is rendered. */
export async function wholePage(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    window.dispatchEvent(new Event('scroll'));
    return !document.documentElement.hasAttribute('data-first-look');
  });
}

declare global {
  interface Window {
    axe?: { run: (root: Document, options: RunOptions) => Promise<AxeResults> };
  }
}

/**
 * The accessibility rules that the page breaks, including target size and those in `more`, and the faults of its markup;
 * must be empty.
 * The pages have no frames, so the checker runs in the page itself, injected once.
 */
export async function accessibilityFaults(page: Page, more: string[] = []): Promise<string[]> {
  await wholePage(page);
  if (!(await page.evaluate(() => window.axe !== undefined))) await page.evaluate(axe.source);
  const rules = Object.fromEntries(['target-size', ...more].map((rule) => [rule, { enabled: true }]));
  const violations = await page.evaluate(async (options) => (await window.axe?.run(document, options))?.violations, {
    rules,
    resultTypes: ['violations'],
  } satisfies RunOptions);
  if (!violations) throw new Error('the accessibility checker is not there');
  return [
    ...violations.map((violation) => `${violation.id}: ${violation.nodes.map((node) => node.html).join(' | ')}`),
    ...(await markupFaults(page)),
  ];
}

/** True if nothing overflows the page's width, in the page's own fonts. */
export async function fitsWidth(page: Page): Promise<boolean> {
  return page.evaluate(async () => {
    await document.fonts.ready;
    return document.documentElement.scrollWidth <= document.documentElement.clientWidth;
  });
}
