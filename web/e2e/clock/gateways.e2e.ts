import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inBrowser, openBrowser } from '../support/browser';
import { retype, tabTo } from '../support/keyboard';
import { advanceClock, codeFor, newPerson, type Person } from '../support/people';
import { choosePlan, endPayment, giveAddress, heading } from '../support/shop';
import { startSecondApi, type SecondApi } from '../support/second-api';
import { actOnEntry, because, findCustomer, openEntry, signInStaff, staff } from '../support/staff';
import { ownStack, siteUrl } from '../support/own-stack';

const DAY = 86_400;

let api: SecondApi;
let page: Page;

beforeAll(async () => {
  api = await startSecondApi({ GATEWAY: 'razorpay,payu' });
});
afterAll(() => api.close());

/** A new user chooses the yearly Start up · Expansion and goes to the gateway's page. */
async function reachGateway(page: Page, origin: string): Promise<Person> {
  const person = newPerson();
  await choosePlan(page, 'Start up');
  await page.getByRole('button', { name: 'Secure Payment' }).click();
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByLabel('Mobile number').fill(person.mobile);
  await page.getByRole('checkbox', { name: /I agree/ }).check();
  await page.getByRole('button', { name: 'Create account' }).last().click();
  await page.getByLabel('Verification code').fill(await codeFor(person.mobile));
  await page.keyboard.press('Enter');
  await heading(page, 'Billing and payment');
  await giveAddress(page, false);
  await page.getByRole('button', { name: 'Pay ₹1,59,300' }).click();
  await page.getByRole('heading', { name: 'Complete your payment' }).waitFor();
  expect(new URL(page.url()).origin).toBe(origin);
  return person;
}

async function pay(page: Page): Promise<void> {
  await page.getByRole('dialog', { name: 'Payment Details' }).getByRole('button', { name: 'Pay ₹1,59,300' }).click();
  await page.getByRole('heading', { name: 'Complete your payment' }).waitFor();
}

/** Staff refund a part through the gateway. */
async function giveBack(person: Person, amount: string): Promise<void> {
  const desk = await openBrowser();
  try {
    await signInStaff(desk.page, staff.admin);
    await findCustomer(desk.page, person.mobile);
    await openEntry(desk.page, 'Payment', 'Payment paid');
    await actOnEntry(desk.page, 'Refund or credit note');
    const dialog = desk.page.getByRole('dialog', { name: /^Give money back to/ });
    await dialog.waitFor();
    await retype(desk.page, 'Amount in rupees, tax included', amount);
    await tabTo(desk.page, dialog.getByLabel('Reason', { exact: true }));
    await because(desk.page, `A goodwill ${person.mobile}`);
    await dialog.waitFor({ state: 'detached' });
    // A request that reaches the gateway only after the clock has moved is settled later.
    const refund = desk.page
      .getByRole('list', { name: 'Timeline' })
      .locator('[data-entry]')
      .filter({ hasText: 'Refund' });
    await expect
      .poll(
        async () => {
          await desk.page.goto(`${new URL(desk.page.url()).pathname}?kind=refund`);
          await refund.first().waitFor();
          return refund.allInnerTexts();
        },
        { timeout: 180_000, interval: 2000 },
      )
      .toEqual([expect.not.stringContaining('requested')]);
  } finally {
    await desk.close();
  }
}

/** The lines of a transaction in the gateway's settlements, as shown to staff: movement, amount and state in the books. */
async function settledLines(desk: Page, gateway: string, transaction: string): Promise<string[]> {
  await desk.goto('/support/settlements');
  await desk.getByRole('heading', { level: 1, name: 'Settlements' }).waitFor();
  await desk.getByRole('list').getByRole('heading', { level: 2 }).first().waitFor();
  // The button's label changes once it is clicked.
  const closed = desk.getByRole('button', { name: new RegExp(`^Show the .* of .*, ${gateway}$`) });
  for (let left = await closed.count(); left > 0; left -= 1) await closed.first().click();
  const rows = desk.getByRole('row').filter({ has: desk.getByRole('rowheader', { name: transaction }) });
  await rows
    .first()
    .waitFor({ timeout: 5000 })
    .catch(() => undefined);
  const cells = await rows.evaluateAll((all) =>
    all.map((row) =>
      ['Movement', 'Amount', 'Books']
        .map((label) => row.querySelector(`[data-label="${label}"]`)?.textContent ?? '')
        .join(' '),
    ),
  );
  return [...new Set(cells)].sort();
}

describe.each(['payu', 'razorpay'] as const)('with %s', (gateway) => {
  const origin = () => (gateway === 'payu' ? ownStack().gateway : ownStack().razorpay);
  inBrowser(
    () => ({ site: gateway === 'payu' ? siteUrl() : api.site }),
    (session) => (page = session.page),
  );

  it('a stranger signs up, pays, gets a part back, and both stand in the settlements as booked', async () => {
    const person = await reachGateway(page, origin());
    await endPayment(page, 'Pay');
    const transaction =
      new URL(page.url()).searchParams.get('transaction_id') ?? expect.fail(`no transaction in ${page.url()}`);
    await heading(page, 'Congratulations!');
    await giveBack(person, '1,180');
    await advanceClock(8 * DAY);
    await advanceClock(2 * DAY);
    const desk = await openBrowser();
    await signInStaff(desk.page, staff.admin);
    await expect
      .poll(() => settledLines(desk.page, { payu: 'PayU', razorpay: 'Razorpay' }[gateway], transaction), {
        timeout: 180_000,
        interval: 2000,
      })
      .toEqual(['Payment ₹1,59,300 Booked', 'Refund ₹1,180 Booked']);
    await desk.close();
  });

  it('a payment that failed says so, and one that was cancelled comes back as well', async () => {
    await reachGateway(page, origin());
    await endPayment(page, 'Fail');
    await heading(page, 'Failed');
    await page.getByRole('link', { name: 'Try Again' }).click();
    await page.getByRole('button', { name: 'View Details' }).click();
    await pay(page);
    await page
      .getByRole('button', { name: /^Cancel/ })
      .first()
      .click();
    await page.waitForURL((url) => url.origin !== origin());
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).not.toMatch(/^\/api\//);
  });
});
