import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { fitsWidth, inBrowser, widths } from './support/browser';
import { openCharge, selectionOf, type Customer } from './support/customer';
import { heading, signIn } from './support/shop';
import { checkBothWidths, newSubscriber, openDashboard } from './support/subscriber';
import { ownStack } from './support/own-stack';

let page: Page;

inBrowser({}, (session) => (page = session.page));

/** Eleven unpaid upgrades: together with the plan, more than fit on a page. */
async function leaveUnpaid(customer: Customer): Promise<void> {
  for (const plan of ['Growth', 'Pinnacle', 'Elite']) {
    for (const service of ['Expansion', 'Apex', 'Supreme'])
      await openCharge(customer, '/subscription/payments/request', await selectionOf(customer, { plan, service }));
  }
  for (const service of ['Apex', 'Supreme'])
    await openCharge(
      customer,
      '/subscription/payments/request',
      await selectionOf(customer, { plan: 'Start up', service }),
    );
}

/** Checks that the list fits screens between a phone and a desktop, and that no plan or invoice is squeezed to a few letters. */
async function checkBetween(): Promise<void> {
  for (const width of [widths.tablet, 900, 992, 1024]) {
    await page.setViewportSize({ width, height: 900 });
    await expect.poll(() => fitsWidth(page), { message: `fits ${width} px` }).toBe(true);
    const first = page.getByRole('table').getByRole('rowheader').first();
    expect((await first.boundingBox())?.width, `the first column at ${width} px`).toBeGreaterThanOrEqual(140);
  }
}

const rows = () => page.getByRole('table').getByRole('row');

it('orders and payments are searched, paged and exported', async () => {
  const person = await newSubscriber({ plan: 'Start up' }, leaveUnpaid);
  await signIn(page, person);
  await page.goto('/subscription_list');
  await heading(page, 'Renewals and Billing');
  await page.getByText('12 orders', { exact: true }).waitFor();
  await expect.poll(() => rows().count()).toBe(11);
  await checkBetween();
  await checkBothWidths(page);
  const pages = page.getByRole('navigation', { name: 'Pages of orders' });
  await pages.getByRole('link', { name: 'Next' }).click();
  await page.getByRole('link', { name: 'Page 2 of 2' }).waitFor();
  await expect.poll(() => rows().count()).toBe(3);
  await page.getByText('Start up · Expansion').waitFor();
  await pages.getByRole('link', { name: 'Prev' }).click();
  await page.getByRole('link', { name: 'Page 1 of 2' }).waitFor();

  const search = page.getByRole('searchbox', { name: 'Search orders and payments' });
  await search.fill('elite');
  await search.press('Enter');
  await page.getByText('3 orders for “elite”').waitFor();
  expect(new URL(page.url()).searchParams.get('search')).toBe('elite');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: /^Export CSV/ }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^orders.*\.csv$/);
  const lines = (await readFile(await file.path(), 'utf8')).trim().split('\n');
  expect(lines).toHaveLength(4);
  expect(lines.slice(1).every((line) => line.includes('Elite'))).toBe(true);

  await search.fill('no such plan');
  await page.getByText('Data not found').waitFor();
  await checkBothWidths(page);
  await search.fill('');
  await page.getByRole('tab', { name: 'Payments' }).click();
  await page.getByText('12 payments', { exact: true }).waitFor();
  await checkBetween();
  await search.fill('FP/');
  await search.press('Enter');
  await page.getByText('1 payment for “FP/”').waitFor();
  await page.getByText('Paid', { exact: true }).waitFor();
  await checkBothWidths(page);
});

it('the invoice is a PDF behind a link of its own, and says so while it is being prepared', async () => {
  const store = ownStack().processes.objectstore;
  expect(store).toBeGreaterThan(0);
  let person;
  // The object store is stopped, so nothing is stored or served.
  process.kill(store ?? 0, 'SIGSTOP');
  try {
    person = await newSubscriber({ plan: 'Start up' });
    await openDashboard(page, person);
    await page.getByRole('button', { name: /^Download invoice FP/ }).click();
    await page.getByText('Your invoice is being prepared.').waitFor();
    await checkBothWidths(page);
  } finally {
    process.kill(store ?? 0, 'SIGCONT');
  }
  await page.getByText('Your invoice is ready.').waitFor({ timeout: 180_000 });
  const link = page.waitForResponse((answer) => answer.url().includes('/subscription/invoice/'));
  await page.getByRole('button', { name: /^Download invoice FP/ }).click();
  const { data } = (await (await link).json()) as { data: { invoice: string } };
  await page.getByText('Invoice Downloaded').waitFor();
  const pdf = await page.request.get(data.invoice);
  expect(pdf.status()).toBe(200);
  expect(pdf.headers()['content-type']).toBe('application/pdf');
  expect((await pdf.body()).subarray(0, 5).toString()).toBe('%PDF-');
  expect((await page.request.get(data.invoice.replace(/\.pdf/, '-2.pdf'))).status()).toBe(403);
});
