import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { inBrowser, takenOver, widths } from './support/browser';
import { checkScreen } from './support/shop';

let page: Page;

inBrowser({ width: widths.desktop }, (session) => (page = session.page));

const comparison = () => page.getByRole('table', { name: /^The plans beside each other/ });

/** Scrolls the row to the middle of the window. */
const readRow = (name: string) =>
  comparison()
    .getByRole('rowheader', { name })
    .evaluate((row) => row.scrollIntoView({ block: 'center', behavior: 'instant' }));

/** True if the element is in the window and no other element covers it. */
const isOnTop = (locator: Locator) =>
  locator.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
  });

it.each(['/overview', '/pricing'])('%s keeps plans, prices and Choose in view at the last line', async (path) => {
  await page.goto(path);
  await takenOver(page);
  await readRow('On-site launch support');
  for (const plan of ['Start up', 'Growth', 'Pinnacle', 'Elite']) {
    await expect.poll(() => isOnTop(comparison().getByRole('link', { name: `Choose ${plan}` }))).toBe(true);
  }
  await checkScreen(page);
  await comparison().getByRole('link', { name: 'Choose Elite' }).click();
  await page.waitForURL(/\/plan\/elite\/monthly\//);
});

it('one tap on a phone shows another plan while its price stays in view', async () => {
  await page.setViewportSize({ width: widths.phone, height: 740 });
  await page.goto('/pricing');
  await takenOver(page);
  await readRow('On-site launch support');
  await page.getByRole('radio', { name: 'Elite', exact: true }).check();
  const choose = comparison().getByRole('link', { name: 'Choose Elite' });
  await expect.poll(() => isOnTop(choose)).toBe(true);
  expect(
    await comparison()
      .getByRole('link', { name: /^Choose/ })
      .count(),
  ).toBe(1);
  await checkScreen(page);
});

it.each(['/overview', '/pricing'])('%s fits a phone before its scripts are there', async (path) => {
  await page.setViewportSize({ width: widths.phone, height: 740 });
  await page.route('**/*.js', (route) => route.abort());
  await page.goto(path);
  await comparison().waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(widths.phone);
});
