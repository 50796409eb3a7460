import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { translatePage } from '../src/testing/translate-page';
import { inBrowser, takenOver, widths } from './support/browser';

let page: Page;
/** Releases the blocked scripts. */
let release: () => void;

inBrowser({ width: widths.phone }, (session) => (page = session.page));
beforeEach(async () => {
  const gate = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/assets/*.js', async (route) => {
    await gate;
    await route.continue();
  });
});

/** Opens a page whose scripts have not arrived yet. */
async function openEarly(path: string): Promise<void> {
  await page.goto(path, { waitUntil: 'commit' });
  await page.getByRole('contentinfo').waitFor();
}

describe('before the scripts of a page are there', () => {
  it('a press on a button is kept', async () => {
    await openEarly('/blog');
    await page.getByRole('button', { name: 'Five numbers a day' }).click();
    release();
    await page.getByRole('dialog', { name: 'Five numbers a day' }).waitFor();
  });

  it('presses reach the parts that come last', async () => {
    await openEarly('/');
    await page.getByRole('button', { name: 'Analytics' }).click();
    release();
    await takenOver(page);
    const shown = page
      .getByRole('region', { name: 'Dashboard preview' })
      .locator('[aria-roledescription=slide]:not([inert])');
    await expect.poll(() => shown.getAttribute('aria-label')).toBe('4 of 8');
  });

  it('keeps the position that the visitor scrolled to', async () => {
    await openEarly('/contact');
    await page.getByRole('button', { name: 'Send message' }).scrollIntoViewIfNeeded();
    const place = await page.evaluate(() => window.scrollY);
    expect(place).toBeGreaterThan(0);
    release();
    await takenOver(page);
    expect(await page.evaluate(() => window.scrollY)).toBe(place);
  });

  it('a choice counts', async () => {
    await openEarly('/pricing');
    await page.locator('label', { hasText: 'Annual' }).click();
    release();
    await takenOver(page);
    await expect.poll(() => new URL(page.url()).searchParams.get('billing')).toBe('annual');
    await expect.poll(() => page.getByRole('radio', { name: 'Annual' }).isChecked()).toBe(true);
  });

  it('typing stays, and a search finds', async () => {
    await openEarly('/helpcenter');
    await page.getByRole('searchbox').pressSequentially('gst');
    release();
    await page.getByRole('list', { name: 'Search results' }).getByRole('link', { name: 'Invoices and GST' }).waitFor();
    await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('gst');
  });

  it('a form is neither lost nor sent into the address', async () => {
    await openEarly('/contact');
    await page.getByLabel('Name').fill('Asha Kulkarni');
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Send message' }).click();
    release();
    await page.getByRole('link', { name: 'Email can not be empty.' }).waitFor();
    await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Asha Kulkarni');
    await expect.poll(() => page.getByRole('checkbox').isChecked()).toBe(true);
    expect(new URL(page.url()).search).toBe('');
  });

  it('typing stays where a translator was there first', async () => {
    await openEarly('/login');
    await page.getByLabel('Mobile number').pressSequentially('9000000001');
    await page.evaluate(translatePage);
    release();
    await takenOver(page);
    await expect.poll(() => page.getByLabel('Mobile number').inputValue()).toBe('9000000001');
  });
});

it('a page of a build of last year is taken over in the new year, and keeps what was typed', async () => {
  const nextYear = new Date().getFullYear() + 1;
  await page.clock.setFixedTime(new Date(`${nextYear}-01-01T00:30:00+05:30`));
  await openEarly('/login');
  const field = await page.getByLabel('Mobile number').elementHandle();
  await page.getByLabel('Mobile number').pressSequentially('9000000001');
  release();
  await takenOver(page);
  expect(await field.inputValue()).toBe('9000000001');
  expect(await field.evaluate((element) => element.isConnected)).toBe(true);
  await page.getByText(`© ${nextYear}`).waitFor();
});
