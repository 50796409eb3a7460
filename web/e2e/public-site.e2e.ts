import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { deadLinks, sitemapPaths } from '../scripts/links.mjs';
import { inBrowser, takenOver, widths } from './support/browser';
import { siteUrl } from './support/own-stack';

let page: Page;

inBrowser({ width: widths.desktop }, (session) => (page = session.page));

const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();

describe('the prerendered pages', () => {
  it('hold title, description, canonical address, preview and one h1 before a script runs', async () => {
    const paths = await sitemapPaths(siteUrl());
    expect(paths.length).toBeGreaterThan(30);
    for (const path of paths) {
      const answer = await fetch(siteUrl() + path);
      const html = await answer.text();
      expect(answer.status, path).toBe(200);
      expect(html.match(/<h1/g), path).toHaveLength(1);
      expect(html, path).toMatch(/<meta name="description" content="[^"]{30,}"/);
      expect(html, path).toContain(`<link rel="canonical" href="${new URL(path, siteUrl()).origin}${path}"`);
      expect(html, path).toContain('<meta property="og:title"');
      expect(html, path).toContain('application/ld+json');
      expect(html, path).not.toContain('%PUBLIC_URL%');
    }
  });

  it('have no dead link, no dead anchor and no missing picture', async () => {
    const { dead, links } = await deadLinks(siteUrl());
    expect(links).toBeGreaterThan(30);
    expect(dead).toEqual([]);
  });

  it('are taken over by the scripts without a difference', async () => {
    const faults: string[] = [];
    page.on(
      'console',
      (message) => ['error', 'warning'].includes(message.type()) && faults.push(`${page.url()} ${message.text()}`),
    );
    page.on('pageerror', (error) => faults.push(`${page.url()} ${error.message}`));
    for (const path of await sitemapPaths(siteUrl())) {
      await page.goto(path);
      await takenOver(page);
    }
    expect(faults).toEqual([]);
  });

  it('match whatever the case and the trailing slash', async () => {
    await page.goto('/Customerstories/');
    await heading('Customer stories');
    await page.goto('/HELPCENTER/Sign-Up/');
    await heading('Sign up with your mobile number');
  });
});

describe('navigation', () => {
  it('leads from the header to a page, moves the focus to its heading and comes back', async () => {
    await page.goto('/');
    await takenOver(page);
    await page.getByRole('banner').getByRole('link', { name: 'Why Franchise 360' }).click();
    await heading('Why choose Franchise 360');
    await expect.poll(() => page.title()).toBe('Why Franchise 360 – Franchise 360');
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
    await page.goBack();
    await heading('Digital Franchise System');
  });

  it('comes back to where somebody was, and opens every page at its top', async () => {
    await page.goto('/whats-new');
    await takenOver(page);
    await page.evaluate(() => window.scrollTo(0, 900));
    await page.getByRole('contentinfo').getByRole('link', { name: 'FAQ' }).click();
    await heading('Frequently asked questions');
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
    await page.goBack();
    await heading('What’s New');
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(500);
  });

  it('opens a document at its top, wherever the one before it in the tab was left', async () => {
    await page.goto('/sign-up');
    await page.getByRole('button', { name: 'Sign up' }).waitFor();
    // Higher up than the page can be scrolled before its fonts are loaded.
    await page.evaluate(() => window.scrollTo(0, 200));
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(200);
    await page.goto('/login');
    await page.getByRole('button', { name: 'Login' }).waitFor();
    await page.waitForTimeout(500);
    expect(await page.evaluate(() => window.scrollY)).toBe(0);
    await page.goBack();
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(200);
  });

  it('sends Get Started and Explore Our Plans to the pricing', async () => {
    for (const name of ['Get Started', 'Explore Our Plans']) {
      await page.goto('/');
      await page.getByRole('link', { name }).first().click();
      await heading('Plans and Pricing');
    }
  });

  it('answers 404 with a page that leads home', async () => {
    const answer = await page.goto('/no/such/page');
    expect(answer?.status()).toBe(404);
    await heading('Page not found');
    await page.getByText('404 - PAGE NOT FOUND').waitFor();
    await page.getByRole('link', { name: 'Go to Homepage' }).click();
    await heading('Digital Franchise System');
    await page.goto('/store/nothing');
    await takenOver(page);
    await expect
      .poll(() => page.getByRole('link', { name: 'Go to Homepage' }).getAttribute('href'))
      .toBe('/subscription_store');
  });
});
