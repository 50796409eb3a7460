import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { sitemapPaths } from '../scripts/links.mjs';
import { accessibilityFaults, fitsWidth, openBrowser, takenOver, widths } from './support/browser';
import { siteUrl } from './support/own-stack';

/** Four consecutive words in Latin letters: an untranslated sentence. */
const ENGLISH = /(?:[A-Za-z’'-]{2,}[ ,]+){3,}[A-Za-z’'-]{2,}/g;

/** Text that stays in English: names of plans, laws and the operator, and quoted English screens. */
const NAMES = [
  'Start up, Growth, Pinnacle',
  'UPI, RuPay, Visa, Mastercard',
  'Indian Contract Act',
  'Trade Marks Act',
  'Digital Personal Data Protection Act',
];

let sentences: string[] = [];
let pages: string[] = [];

beforeAll(async () => {
  const catalogue = await readFile(new URL('../src/locales/hi.po', import.meta.url), 'utf8');
  // Short texts may be part of Hindi ones: "Blog" of an address, "Start up" of a plan's name.
  sentences = [...catalogue.matchAll(/^msgid "(.+)"$/gm)]
    .flatMap(([, text]) => text ?? [])
    .filter((text) => text.split(' ').length > 3 && !/[{<\\]/.test(text));
  pages = (await sitemapPaths(siteUrl())).filter((path) => /^\/hi(\/|$)/.test(path));
});

/** All words of a page: visible text, and text for screen readers. */
async function wordsOf(page: Page): Promise<string> {
  return page.evaluate(() => {
    const own = document.querySelectorAll('.site-footer-imprint, .contact-strip, code, [lang^="en"]');
    own.forEach((part) => part.remove());
    const operator = JSON.parse(document.getElementById('operator')?.textContent ?? '{}') as Record<string, string>;
    const named = [...document.querySelectorAll('[aria-label], [alt], [placeholder], [title]')].flatMap((part) =>
      ['aria-label', 'alt', 'placeholder', 'title'].map((name) => part.getAttribute(name) ?? ''),
    );
    const words = [document.title, document.body.innerText, ...named].join('\n');
    // The operator's registered name and details stay in English.
    return Object.values(operator).reduce((text, fact) => (fact ? text.replaceAll(fact, '·') : text), words);
  });
}

/** The remaining English sentences. */
function leftIn(words: string): string[] {
  const rest = NAMES.reduce((text, name) => text.replaceAll(name, '·'), words);
  return [...sentences.filter((sentence) => rest.includes(sentence)), ...(rest.match(ENGLISH) ?? [])];
}

it('finds untranslated English in a Hindi text, except the names of plans', () => {
  expect(leftIn('हमारे प्लान\nEvery rupee before you pay')).not.toEqual([]);
  expect(leftIn('Start up, Growth, Pinnacle और Elite')).toEqual([]);
});

describe('the pages in Hindi', () => {
  it('say so, and name the same page in each language', async () => {
    expect(pages.length).toBeGreaterThan(30);
    const site = siteUrl();
    for (const path of pages) {
      const html = await (await fetch(site + path)).text();
      const english = path.replace(/^\/hi/, '') || '/';
      const origin = /<link rel="canonical" href="(https?:\/\/[^/"]+)/.exec(html)?.[1] ?? '';
      expect(html, path).toMatch(/<html[^>]* lang="hi"/);
      expect(html, path).toContain(`<link rel="canonical" href="${origin}${path}"`);
      for (const [tag, to] of [
        ['hi', path],
        ['en-IN', english],
        ['x-default', english],
      ])
        expect(html, path).toContain(`<link rel="alternate" hreflang="${tag}" href="${origin}${to}"`);
      expect(/<title>(.*?)<\/title>/.exec(html)?.[1], path).toMatch(/[\u0900-\u097F]/);
      expect(/<meta name="description" content="(.*?)"/.exec(html)?.[1], path).toMatch(/[\u0900-\u097F]/);
    }
  });

  it('leave no English sentence, and stay within a narrow screen', async () => {
    const session = await openBrowser({ width: widths.phone });
    const faults: string[] = [];
    try {
      for (const path of pages) {
        await session.page.goto(path);
        await takenOver(session.page);
        await expect.poll(() => fitsWidth(session.page), { message: `${path} fits` }).toBe(true);
        faults.push(...leftIn(await wordsOf(session.page)).map((text) => `${path}: ${text}`));
      }
      expect(faults).toEqual([]);
      expect(session.faults).toEqual([]);
    } finally {
      await session.close();
    }
  });

  it('that are read in English say so, and point at the English one', async () => {
    const session = await openBrowser({ width: widths.phone });
    try {
      for (const path of ['/hi/privacy', '/hi/blog', '/hi/blog/the-franchise-agreement']) {
        await session.page.goto(path);
        await session.page.getByText('यह पेज अभी अंग्रेज़ी में है।').waitFor();
        await expect.poll(() => session.page.locator('main').getAttribute('lang')).toBe('en-IN');
        const canonical = await session.page.locator('link[rel=canonical]').getAttribute('href');
        expect(new URL(canonical ?? '').pathname).toBe(path.slice('/hi'.length));
      }
    } finally {
      await session.close();
    }
  });
});

describe.each([widths.phone, widths.desktop])('at %i px', (width) => {
  it('leads from home over the prices to sign-up in Hindi, and back to English', async () => {
    const session = await openBrowser({ width });
    const { page } = session;
    const sound = async () => {
      await takenOver(page);
      expect(await accessibilityFaults(page)).toEqual([]);
      expect(await fitsWidth(page)).toBe(true);
    };
    try {
      await page.goto('/');
      await takenOver(page);
      await page.getByRole('banner').getByRole('link', { name: 'हिन्दी' }).click();
      await page.getByRole('heading', { level: 1, name: 'डिजिटल फ्रैंचाइज़ सिस्टम' }).waitFor();
      expect(new URL(page.url()).pathname).toBe('/hi');
      await sound();
      await page.getByRole('main').getByRole('link', { name: 'शुरू करें', exact: true }).first().click();
      await page.getByRole('heading', { level: 1, name: 'प्लान और कीमतें' }).waitFor();
      expect(new URL(page.url()).pathname).toBe('/hi/pricing');
      await expect
        .poll(() => page.locator('link[rel=alternate][hreflang=en-IN]').getAttribute('href'))
        .toMatch(/\/pricing$/);
      await page.getByRole('article').first().waitFor();
      await sound();
      await page.goto('/hi/sign-up/');
      await page.getByRole('heading', { level: 1, name: 'अपना खाता बनाएँ' }).waitFor();
      await sound();
      await page.getByRole('main').getByRole('button', { name: 'साइन अप' }).click();
      await page.getByText('ई-मेल खाली नहीं हो सकता।').first().waitFor();
      expect(leftIn(await wordsOf(page))).toEqual([]);
      await page.goto('/hi/sign-up?return=%2Fpricing');
      await takenOver(page);
      await page.getByRole('banner').getByRole('link', { name: 'English' }).click();
      await page.getByRole('heading', { level: 1, name: 'Create your account' }).waitFor();
      expect(page.url()).toMatch(/\/sign-up\?return=%2Fpricing$/);
      expect(session.faults).toEqual([]);
    } finally {
      await session.close();
    }
  });
});

it('a wrong login is refused in Hindi, and an unknown address has a page in Hindi', async () => {
  const session = await openBrowser({ width: widths.phone });
  const { page } = session;
  try {
    await page.goto('/hi/login');
    await takenOver(page);
    await page.getByLabel('मोबाइल नंबर').fill('9876500001');
    await page.getByLabel('पासवर्ड', { exact: true }).fill('Wrong#Pass1');
    await page.getByRole('main').getByRole('button', { name: 'लॉगिन', exact: true }).click();
    await page.getByText('मोबाइल नंबर या पासवर्ड गलत है।').first().waitFor();
    const answer = await page.goto('/hi/no/such/page');
    expect(answer?.status()).toBe(404);
    await page.getByRole('heading', { level: 1, name: 'पेज नहीं मिला' }).waitFor();
  } finally {
    await session.close();
  }
});
