import { describe, expect, inject, it } from 'vitest';
import { accessibilityFaults, fitsWidth, openBrowser } from './support/browser';

/** One of each kind of page; the articles of a kind are alike, and the pricing has tests of its own. */
const paths = ['/', '/all-features', '/why-franchise360', '/overview', '/product-tour', '/working', '/whatisFranchise', '/blog', '/blog/what-a-franchise-costs', '/whats-new', '/faq', '/tutorial', '/customerStories', '/helpcenter', '/helpcenter/add-ons', '/contact', '/unsubscribe', '/privacy', '/terms', '/no/such/page'];

interface Look {
  width: number;
  dark?: boolean;
  forced?: boolean;
  /** Twice the size of the text, as the browser's own setting makes it. */
  large?: boolean;
}

const looks: [string, Look][] = [
  ['320 px', { width: 320 }],
  ['320 px, dark', { width: 320, dark: true }],
  ['768 px, forced colours', { width: 768, forced: true }],
  ['768 px, text at 200%', { width: 768, large: true }],
  ['1440 px', { width: 1440 }],
  ['1440 px, dark', { width: 1440, dark: true }],
];

describe.each(looks)('at %s', (_name, { width, dark, forced, large }) => {
  it('no public page breaks a rule of accessibility or sticks out sideways', async () => {
    const session = await openBrowser({ width, dark });
    try {
      const { page } = session;
      if (forced) await page.emulateMedia({ forcedColors: 'active' });
      for (const path of paths) {
        await page.goto(inject('baseUrl') + path, { waitUntil: 'networkidle' });
        if (large) await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));
        expect(await accessibilityFaults(page), path).toEqual([]);
        expect(await fitsWidth(page), path).toBe(true);
      }
    } finally {
      await session.close();
    }
  }, 240_000);
});
