import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { chromium, type BrowserContext, type Page } from 'playwright-core';
import { inject } from 'vitest';

const flags = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

/** The widths at which every way is taken, in CSS pixels. */
export const widths = { phone: 360, tablet: 768, desktop: 1280 } as const;

export interface Session {
  page: Page;
  context: BrowserContext;
  /** What no page may do: throw, hydrate with a mismatch, or break the content policy. */
  faults: string[];
  close: () => Promise<void>;
}

export interface SessionOptions {
  width?: number;
  height?: number;
  dark?: boolean;
  /** A custom domain that leads to the stack. */
  domain?: string;
}

/** Opens Chromium with a profile of its own. Close it when the test is over. */
export async function openBrowser({ width = widths.desktop, height = 900, dark = false, domain }: SessionOptions = {}): Promise<Session> {
  const profile = await mkdtemp(join(tmpdir(), 'franchise360-e2e-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    headless: true,
    args: domain ? [...flags, `--host-resolver-rules=MAP ${domain}:80 127.0.0.1:${new URL(inject('baseUrl')).port}`] : flags,
    baseURL: inject('baseUrl'),
    viewport: { width, height },
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    locale: 'en-IN',
    timezoneId: 'Asia/Kolkata',
  });
  const page = context.pages()[0] ?? (await context.newPage());
  const faults: string[] = [];
  context.on('weberror', (error) => faults.push(error.error().message));
  context.on('console', (message) => {
    if (message.type() === 'error' && /content security policy|hydrat|react error/i.test(message.text())) faults.push(message.text());
  });
  const close = async () => {
    await context.close();
    await rm(profile, { recursive: true, force: true });
  };
  return { page, context, faults, close };
}

/** Waits until the page's scripts have taken the prerendered markup over. */
export async function takenOver(page: Page): Promise<void> {
  await page.locator('html[data-hydrated]').waitFor({ state: 'attached' });
}

/** The accessibility rules that the page breaks, target size and those of `more` included; empty is the only good answer. */
export async function accessibilityFaults(page: Page, more: string[] = []): Promise<string[]> {
  const rules = Object.fromEntries(['target-size', ...more].map((rule) => [rule, { enabled: true }]));
  const { violations } = await new AxeBuilder({ page }).options({ rules }).analyze();
  return violations.map((violation) => `${violation.id}: ${violation.nodes.map((node) => node.html).join(' | ')}`);
}

/** True when nothing sticks out sideways at the page's width. */
export async function fitsWidth(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);
}
