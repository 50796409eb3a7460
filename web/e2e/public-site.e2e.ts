import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { openBrowser, widths, type Session } from './support/browser';
import { tabTo } from './support/keyboard';

let session: Session;
let page: Page;

beforeEach(async () => {
  session = await openBrowser({ width: widths.desktop });
  page = session.page;
});

afterEach(() => session.close());

const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();

/** The addresses of the sitemap, as paths. */
async function sitemap(): Promise<string[]> {
  const text = await (await fetch(`${inject('baseUrl')}/sitemap.xml`)).text();
  return [...text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address = '']) => new URL(address).pathname);
}

describe('the prerendered pages', () => {
  it('hold title, description, canonical address, preview and one h1 before a script runs', async () => {
    const paths = await sitemap();
    expect(paths.length).toBeGreaterThan(30);
    for (const path of paths) {
      const answer = await fetch(inject('baseUrl') + path);
      const html = await answer.text();
      expect(answer.status, path).toBe(200);
      expect(html.match(/<h1/g), path).toHaveLength(1);
      expect(html, path).toMatch(/<meta name="description" content="[^"]{30,}"/);
      expect(html, path).toContain(`<link rel="canonical" href="${new URL(path, inject('baseUrl')).origin}${path}"`);
      expect(html, path).toContain('<meta property="og:title"');
      expect(html, path).toContain('application/ld+json');
      expect(html, path).not.toContain('%PUBLIC_URL%');
    }
  });

  it('have no dead link and no dead anchor', async () => {
    const links = new Map<string, string>();
    for (const path of await sitemap()) {
      const html = await (await fetch(inject('baseUrl') + path)).text();
      for (const [, href = ''] of html.matchAll(/<a [^>]*href="([^"]+)"/g)) {
        if (href.startsWith('#')) expect(html, `${path} ${href}`).toContain(`id="${href.slice(1)}"`);
        else if (href.startsWith('/')) links.set(href.replaceAll('&amp;', '&'), path);
      }
    }
    expect(links.size).toBeGreaterThan(30);
    for (const [href, from] of links) {
      const answer = await fetch(inject('baseUrl') + href);
      expect(answer.status, `${from} → ${href}`).toBe(200);
      const anchor = href.split('#')[1];
      if (anchor) expect(await answer.text(), `${from} → ${href}`).toContain(`id="${anchor}"`);
    }
  });

  it('are taken over by the scripts without a difference', async () => {
    const faults: string[] = [];
    page.on('console', (message) => message.type() === 'error' && faults.push(`${page.url()} ${message.text()}`));
    page.on('pageerror', (error) => faults.push(`${page.url()} ${error.message}`));
    for (const path of await sitemap()) await page.goto(path, { waitUntil: 'networkidle' });
    expect(faults).toEqual([]);
  }, 240_000);

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
    await heading('Digital Franchise System');
    await page.getByRole('banner').getByRole('link', { name: 'Why Franchise 360' }).click();
    await heading('Why choose Franchise 360');
    expect(await page.title()).toBe('Why Franchise 360 – Franchise 360');
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
    await page.goBack();
    await heading('Digital Franchise System');
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
    expect(await page.getByRole('link', { name: 'Go to Homepage' }).getAttribute('href')).toBe('/store');
  });
});

describe('the home page', () => {
  it('shows its sections in order, with the links of its cards', async () => {
    await page.goto('/');
    const titles = await page.getByRole('heading', { level: 2 }).allTextContents();
    const wanted = ['What is Franchise 360', 'Traditional Franchise System Challenges', 'Unique Features', 'Most Suitable For', 'The life of a franchise', 'Key Features', 'Everything You Need, Start Here and Look Ahead', 'One dashboard, every outlet'];
    expect(titles.slice(0, wanted.length)).toEqual(wanted);
    expect(await page.getByRole('link', { name: 'Explore now' }).getAttribute('href')).toBe('/all-features');
    expect(await page.getByRole('link', { name: 'See All Features' }).getAttribute('href')).toBe('/all-features');
  });

  it('moves its carousel by name, arrow and dot, and never by itself', async () => {
    await page.goto('/');
    const carousel = page.getByRole('region', { name: 'Dashboard preview' });
    const shown = () => carousel.locator('[aria-roledescription=slide]:not([inert])').getAttribute('aria-label');
    expect(await shown()).toBe('1 of 8');
    await page.getByRole('button', { name: 'Analytics' }).click();
    expect(await shown()).toBe('4 of 8');
    await carousel.getByRole('button', { name: 'Next view' }).click();
    expect(await shown()).toBe('5 of 8');
    await carousel.getByRole('button', { name: 'Show view 1' }).click();
    await carousel.getByRole('button', { name: 'Previous view' }).click();
    expect(await shown()).toBe('8 of 8');
  });
});

describe('the FAQ', () => {
  it('opens one answer of a group at a time, by keyboard too', async () => {
    await page.goto('/faq');
    const first = page.getByRole('button', { name: 'How many franchises can I run?' });
    const second = page.getByRole('button', { name: 'Who is Franchise 360 for?' });
    const other = page.getByRole('button', { name: 'How can I pay?' });
    await tabTo(page, first);
    await page.keyboard.press('Enter');
    expect(await first.getAttribute('aria-expanded')).toBe('true');
    await other.click();
    await second.click();
    expect(await first.getAttribute('aria-expanded')).toBe('false');
    expect(await second.getAttribute('aria-expanded')).toBe('true');
    expect(await other.getAttribute('aria-expanded')).toBe('true');
    await second.click();
    expect(await second.getAttribute('aria-expanded')).toBe('false');
    await page.getByRole('main').getByRole('link', { name: 'Contact Us' }).click();
    await heading('Contact us');
  });
});

describe('the product tour', () => {
  const current = () => page.locator('[aria-current=step]').textContent();

  it('stands still for people who want little motion, until they press Play', async () => {
    await page.goto('/product-tour');
    await page.getByRole('button', { name: 'Play the tour' }).waitFor();
    expect(await current()).toContain('1.');
    await page.getByRole('button', { name: /^3\./ }).click();
    expect(await current()).toContain('3.');
  });

  it('goes on every four seconds, waits under the pointer and under the focus, and pauses', async () => {
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await page.goto('/product-tour');
    await page.getByRole('button', { name: 'Pause the tour' }).waitFor();
    await expect.poll(current, { timeout: 6000 }).toContain('2.');
    await page.getByRole('button', { name: /^2\./ }).hover();
    await page.waitForTimeout(4600);
    expect(await current()).toContain('2.');
    await page.mouse.move(5, 5);
    await expect.poll(current, { timeout: 6000 }).toContain('3.');
    await page.getByRole('button', { name: 'Pause the tour' }).click();
    await page.waitForTimeout(4600);
    expect(await current()).toContain('3.');
  });
});

describe('the help centre', () => {
  it('finds articles while typing, keeps the words in the address and opens the only one on Enter', async () => {
    await page.goto('/helpcenter');
    const field = page.getByRole('searchbox', { name: 'Search the help articles' });
    await field.fill('gst');
    await page.getByRole('list', { name: 'Search results' }).getByRole('link', { name: 'Invoices and GST' }).waitFor();
    expect(new URL(page.url()).searchParams.get('q')).toBe('gst');
    await field.fill('xyzzy');
    await page.getByText('Nothing found for “xyzzy”.').waitFor();
    await field.fill('59 seconds resend');
    await page.getByText('1 article found').waitFor();
    await field.press('Enter');
    await heading('The code does not arrive');
  });

  it('leads from a topic to an article and to a person', async () => {
    await page.goto('/helpcenter');
    await page.getByRole('link', { name: 'Domains', exact: true }).click();
    await heading('Link your own domain');
    await page.getByRole('main').getByRole('link', { name: 'Contact us' }).click();
    await heading('Contact us');
    await expect.poll(() => page.getByRole('combobox', { name: /What is it about/ }).textContent()).toContain('Help with my account');
  });
});

describe('blog and tutorials', () => {
  it('opens a story as a full picture and an article as a page', async () => {
    // A picture opens by script: one that is clicked before the page is taken over stays shut.
    await page.goto('/blog', { waitUntil: 'networkidle' });
    await page.getByRole('button', { name: 'Five numbers a day' }).click();
    await page.getByRole('dialog', { name: 'Five numbers a day' }).getByRole('button', { name: 'Next' }).click();
    await page.getByRole('dialog', { name: 'The first ten partners' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'What a franchise costs in India, line by line' }).click();
    await heading('What a franchise costs in India, line by line');
    await page.getByRole('main').getByRole('link', { name: 'GST on franchise fees and royalties' }).first().click();
    await heading('GST on franchise fees and royalties');
  });

  it('shows a tutorial grey until it is pointed at or focused, and opens it', async () => {
    await page.goto('/tutorial');
    const card = page.getByRole('button', { name: /^Sign up and confirm your mobile/ });
    const filter = () => card.locator('.tutorial-picture').evaluate((element) => getComputedStyle(element).filter);
    expect(await filter()).toBe('grayscale(1)');
    await tabTo(page, card);
    await expect.poll(filter).toBe('none');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Sign up and confirm your mobile' }).getByRole('button', { name: /^(Play|Next step)/ }).waitFor();
  });
});

describe('forms', () => {
  it('sends a message to the support console', async () => {
    await page.goto('/contact');
    await page.getByRole('button', { name: 'Send message' }).click();
    await page.getByText('There is a problem').waitFor();
    await page.getByLabel('Name').fill('Asha Kulkarni');
    await page.getByLabel('Email').fill('asha@example.in');
    await page.getByRole('combobox', { name: /What is it about/ }).click();
    await page.getByRole('option', { name: 'Find a host, or be one' }).click();
    await page.getByRole('textbox', { name: 'Message' }).fill('We run twelve bakeries and look for a host in Nashik.');
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Send message' }).click();
    await page.getByText('Your reference:').waitFor();
  });

  it('takes a newsletter address only with consent, and lets it go again', async () => {
    await page.goto('/blog');
    await page.getByLabel('Email').fill('reader@example.in');
    await page.getByRole('button', { name: 'Subscribe' }).click();
    await page.getByText('There is a problem').waitFor();
    await page.getByRole('checkbox', { name: /send me the newsletter/ }).check();
    await page.getByRole('button', { name: 'Subscribe' }).click();
    await page.getByText('Thank you. You will hear from us.').first().waitFor();
    await page.getByRole('link', { name: 'Unsubscribe' }).click();
    await page.getByLabel('Email').fill('reader@example.in');
    await page.getByRole('button', { name: 'Unsubscribe' }).click();
    await page.getByText('You will not hear from us again.').first().waitFor();
  });
});
