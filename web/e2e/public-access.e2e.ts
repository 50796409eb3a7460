import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { accessibilityFaults, fitsWidth, openBrowser, takenOver } from './support/browser';
import { siteUrl } from './support/own-stack';

/** One page of each kind; the articles of a kind are alike. */
const paths = [
  '/',
  '/all-features',
  '/why-franchise360',
  '/overview',
  '/product-tour',
  '/working',
  '/whatisFranchise',
  '/developers',
  '/pricing',
  '/blog',
  '/blog/what-a-franchise-costs',
  '/whats-new',
  '/faq',
  '/tutorial',
  '/customerStories',
  '/helpcenter',
  '/helpcenter/add-ons',
  '/contact',
  '/newsletter/confirm',
  '/unsubscribe',
  '/privacy',
  '/terms',
  '/no/such/page',
];

/** Shows the page in a theme and waits for the colour transition, whose intermediate colours are not checked. */
async function show(page: Page, theme: 'light' | 'dark', forcedColors: 'none' | 'active' = 'none'): Promise<void> {
  await page.emulateMedia({ colorScheme: theme, forcedColors });
  await page.locator(`html[data-bs-theme=${theme}]`).waitFor({ state: 'attached' });
  await page.evaluate(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)));
}

/** The display modes: the system's theme, forced colours, text at twice the size. */
const looks: [string, (page: Page) => Promise<unknown>][] = [
  ['light', (page) => show(page, 'light')],
  ['dark', (page) => show(page, 'dark')],
  ['forced colours', (page) => show(page, 'light', 'active')],
  [
    'text at 200%',
    async (page) => {
      await show(page, 'light');
      await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));
    },
  ],
];

// Some two hundred and fifty checks take too long for every run: `make access` runs them.
describe.runIf(process.env.ALL_LOOKS).each([320, 768, 1440])('at %i px', (width) => {
  it('no public page breaks a rule of accessibility or sticks out sideways, in any look', async () => {
    const session = await openBrowser({ width });
    const faults: string[] = [];
    try {
      const { page } = session;
      for (const path of paths) {
        await page.goto(siteUrl() + path);
        await takenOver(page);
        if (path === '/pricing') await page.getByRole('article').first().waitFor();
        for (const [name, look] of looks) {
          await look(page);
          faults.push(
            ...(await accessibilityFaults(page, ['label-content-name-mismatch'])).map(
              (fault) => `${path}, ${name}: ${fault}`,
            ),
          );
          if (!(await fitsWidth(page))) faults.push(`${path}, ${name}: sticks out sideways`);
        }
      }
    } finally {
      await session.close();
    }
    expect(faults).toEqual([]);
  });
});
