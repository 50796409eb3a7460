import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { inBrowser, takenOver, widths } from './support/browser';
import { tabTo } from './support/keyboard';

let page: Page;

inBrowser({ width: widths.desktop }, (session) => (page = session.page));

const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();

describe('the home page', () => {
  it('shows its sections in order, with the links of its cards', async () => {
    await page.goto('/');
    const titles = await page.getByRole('heading', { level: 2 }).allTextContents();
    const wanted = [
      'What is Franchise 360',
      'Traditional Franchise System Challenges',
      'Unique Features',
      'Most Suitable For',
      'The life of a franchise',
      'Key Features',
      'Everything You Need, Start Here and Look Ahead',
      'Look around before you sign up',
      'What businesses do with it',
    ];
    expect(titles.slice(0, wanted.length)).toEqual(wanted);
    await expect.poll(() => page.getByRole('link', { name: 'Explore now' }).getAttribute('href')).toBe('/all-features');
    await expect
      .poll(() => page.getByRole('link', { name: 'See All Features' }).getAttribute('href'))
      .toBe('/all-features');
  });

  it('lays out the sections far below when the visitor scrolls', async () => {
    await page.goto('/');
    await takenOver(page);
    await page.locator('html[data-first-look]').waitFor({ state: 'attached' });
    await page.mouse.wheel(0, 300);
    await page.locator('html:not([data-first-look])').waitFor({ state: 'attached' });
  });

  it('moves its carousel by name, arrow and dot, and never by itself', async () => {
    await page.goto('/');
    const carousel = page.getByRole('region', { name: 'Dashboard preview' });
    const shown = () => carousel.locator('[aria-roledescription=slide]:not([inert])').getAttribute('aria-label');
    await expect.poll(shown).toBe('1 of 8');
    await page.getByRole('button', { name: 'Analytics' }).click();
    await expect.poll(shown).toBe('4 of 8');
    await carousel.getByRole('button', { name: 'Next view' }).click();
    await expect.poll(shown).toBe('5 of 8');
    await carousel.getByRole('button', { name: 'Show view 1' }).click();
    await carousel.getByRole('button', { name: 'Previous view' }).click();
    await expect.poll(shown).toBe('8 of 8');
  });
});

describe('a page that is left while scrolled', () => {
  it('gives way to the top of the next one, whose footer does not flash up', async () => {
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await page.goto('/pricing');
    await takenOver(page);
    const buy = page.getByRole('main').getByRole('link', { name: 'Buy Now' }).last();
    await buy.waitFor();
    await page.evaluate(() => {
      const begin = document.startViewTransition.bind(document);
      document.startViewTransition = (update) => {
        const moving = begin(update);
        void moving.ready.then(() => (document.documentElement.dataset.picturedAt = String(window.scrollY)));
        return moving;
      };
    });
    await buy.evaluate((link) => link.scrollIntoView({ block: 'start', behavior: 'instant' }));
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(300);
    await buy.click();
    await page.waitForURL(/\/subscription-plan|\/plan/);
    await page.locator('html[data-pictured-at]').waitFor({ state: 'attached' });
    await expect.poll(() => page.locator('html').getAttribute('data-pictured-at')).toBe('0');
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
    await expect.poll(() => first.getAttribute('aria-expanded')).toBe('true');
    await other.click();
    await second.click();
    await expect.poll(() => first.getAttribute('aria-expanded')).toBe('false');
    await expect.poll(() => second.getAttribute('aria-expanded')).toBe('true');
    await expect.poll(() => other.getAttribute('aria-expanded')).toBe('true');
    await second.click();
    await expect.poll(() => second.getAttribute('aria-expanded')).toBe('false');
    await page.getByRole('main').getByRole('link', { name: 'Contact Us' }).click();
    await heading('Contact us');
  });
});

describe('the product tour', () => {
  const current = () => page.locator('[aria-current=step]').textContent();
  /** Waits for pending message tasks. */
  const settled = () =>
    page.evaluate(async () => {
      for (let message = 0; message < 20; message++) {
        await new Promise((done) => {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = done;
          port2.postMessage(null);
        });
      }
    });

  it('stands still for people who want little motion, until they press Play', async () => {
    await page.goto('/product-tour');
    await page.getByRole('button', { name: 'Play the tour' }).waitFor();
    expect(await current()).toContain('1.');
    await page.getByRole('button', { name: /^3\./ }).click();
    await expect.poll(current).toContain('3.');
  });

  it('goes on every four seconds, waits under the pointer and under the focus, and pauses', async () => {
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await page.clock.install();
    await page.goto('/product-tour');
    await page.getByRole('button', { name: 'Pause the tour' }).waitFor();
    // From here on time goes on by the test alone, however slow the machine is.
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000);
    const step = async () => Number(/\d+/.exec((await current()) ?? '')?.[0]);
    const steps = await page.getByRole('button', { name: /^\d\./ }).count();
    const after = (one: number) => (one % steps) + 1;
    // The page sets its next timer only once it has drawn a step, so time goes on in slices.
    const turnsTo = async (one: number) => {
      await expect
        .poll(async () => {
          await page.clock.runFor(200);
          return await step();
        })
        .toBe(one);
    };
    const stays = async (one: number) => {
      await settled();
      await page.clock.runFor(4600);
      await settled();
      expect(await step()).toBe(one);
    };
    const second = after(await step());
    await turnsTo(second);
    await page.getByRole('button', { name: new RegExp(`^${second}\\.`) }).hover();
    await stays(second);
    await page.mouse.move(5, 5);
    await turnsTo(after(second));
    await page.getByRole('button', { name: 'Pause the tour' }).click();
    await stays(after(second));
  });
});
