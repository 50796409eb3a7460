import { setTimeout as sleep } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import { inBrowser, openBrowser, widths } from './support/browser';
import { newCustomer, openCharge, saveAddress, selectionOf } from './support/customer';
import { messagesTo, newPerson, type Person } from './support/people';
import { tabTo } from './support/keyboard';
import { checkScreen, heading } from './support/shop';
import { because, signInStaff, staff } from './support/staff';
import { ownStack, siteUrl } from './support/own-stack';

const post = async (address: string, body: object) =>
  expect(
    (
      await fetch(address, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      })
    ).status,
  ).toBe(200);
const smsProvider = (mode: 'ok' | 'fail') => post(`${siteUrl()}/dev/sms`, { mode });
const gateway = (mode: 'ok' | 'error') => post(`${ownStack().gateway}/sandbox/mode`, { mode });

/** Presses keys one after another and counts them. */
async function press(page: Page, ...keys: string[]): Promise<number> {
  for (const key of keys) await page.keyboard.press(key);
  return keys.length;
}

/** Waits until keys reach the reason of a dialog, a moment after it is shown. */
const reasonHasFocus = (dialog: Locator) =>
  expect.poll(() => dialog.getByLabel('Reason').evaluate((element) => element === document.activeElement)).toBe(true);

let page: Page;

inBrowser({}, async (session) => {
  page = session.page;
  await signInStaff(page, staff.support);
});
afterEach(async () => {
  await smsProvider('ok');
  await gateway('ok');
});

/** A customer whose payment was captured while the gateway could not be reached. */
async function payUnheard(): Promise<[Person, string, () => Promise<string>, () => Promise<unknown[]>]> {
  const person = newPerson();
  const [customer] = await newCustomer(person);
  await saveAddress(customer);
  const { 'franchiser-user': user } = await customer.call<{ 'franchiser-user': { franchiser_id: string } }>(
    'GET',
    '/session',
  );
  const selection = await selectionOf(customer, { plan: 'Start up' });
  const { transaction_id } = await openCharge(customer, '/subscription/payments/request', selection);
  await gateway('error');
  const back = await customer.decide(transaction_id, { outcome: 'success', webhook: 'lost', return: 'post' });
  await customer.post(back.return_url, back.fields);
  return [
    person,
    user.franchiser_id,
    async () =>
      (await customer.call<{ state: string }>('GET', `/subscription/payments/status/${transaction_id}`)).state,
    () => customer.call<unknown[]>('GET', '/subscription/list'),
  ];
}

/** How long the customer's verify_payment job waits after its third attempt, in milliseconds. */
async function restsFor(customerId: string): Promise<number> {
  const answer = await page.request.get(
    `/api/support/jobs?kind=verify_payment&state=retryable&customer_id=${customerId}`,
  );
  const { data } = (await answer.json()) as { data: { jobs: { attempt: number; scheduled_at: string }[] } };
  const tried = data.jobs.find(({ attempt }) => attempt >= 3);
  return tried ? Date.parse(tried.scheduled_at) - Date.now() : 0;
}

describe('when a provider is away', () => {
  it('codes that failed are rerun in bulk by keyboard, and each person gets one message', async () => {
    await smsProvider('fail');
    const people = [newPerson(), newPerson(), newPerson()];
    for (const { mobile, email, password } of people)
      await post(`${siteUrl()}/api/franchise/register`, { mobile, email, password });
    await page.goto('/support/jobs?kind=send_otp&state=retryable');
    const list = page.getByRole('table', { name: /^Failed jobs/ });
    await expect
      .poll(
        async () => {
          await page.reload();
          await page.getByRole('heading', { name: 'Failed jobs' }).waitFor();
          return list.getByRole('row').count();
        },
        { timeout: 180_000, interval: 1500 },
      )
      .toBeGreaterThanOrEqual(4);
    await page.getByRole('list').filter({ hasText: 'Send a code by SMS' }).getByRole('button').first().waitFor();
    await checkScreen(page);
    for (const { mobile } of people) expect(await messagesTo(mobile)).toEqual([]);

    await expect
      .poll(() =>
        list
          .getByRole('row')
          .nth(1)
          .evaluate((element) => element.contains(document.activeElement)),
      )
      .toBe(true);
    let keys = await press(page, 'x', 'j', 'x', 'j', 'x', 'r');
    await reasonHasFocus(page.getByRole('dialog', { name: 'Rerun 3 jobs?' }));
    await smsProvider('ok');
    keys += await press(page, 'ArrowDown', 'Enter');
    expect(keys).toBeLessThanOrEqual(8);
    const progress = page.getByRole('region', { name: 'Progress' });
    await progress.getByText(/will run again/).waitFor();
    await checkScreen(page);
    for (const { mobile } of people)
      await expect.poll(async () => (await messagesTo(mobile)).length, { timeout: 180_000 }).toBe(1);
    await sleep(3000);
    for (const { mobile } of people) expect(await messagesTo(mobile)).toHaveLength(1);
  });

  it('from a mobile number to its payment’s job in fifteen keys, and the payment counts once', async () => {
    const [{ mobile }, customerId, state, orders] = await payUnheard();
    await page.goto('/support');
    const box = page.getByRole('combobox');
    await box.waitFor();
    await expect.poll(() => box.evaluate((element) => element === document.activeElement)).toBe(true);
    // Three calls to the gateway fail; the next attempt follows a minute later.
    await expect.poll(() => restsFor(customerId), { timeout: 180_000 }).toBeGreaterThan(30_000);
    expect(await state()).not.toBe('paid');

    let keys = await press(page, ...mobile);
    await page.getByRole('option').first().waitFor();
    keys += await press(page, 'Enter');
    await page.waitForURL(/\/support\/customers\//);
    await heading(page, /./);
    keys += await press(page, 'f');
    const row = page
      .getByRole('table', { name: /^Failed jobs/ })
      .getByRole('row')
      .nth(1);
    const id = /#(\d+)/.exec(await row.getByRole('button', { name: /^Ask about a payment/ }).innerText())?.[1] ?? '';
    const focused = () => row.evaluate((element) => element.contains(document.activeElement));
    await expect.poll(focused).toBe(true);
    keys += await press(page, 'r');
    const dialog = page.getByRole('dialog', { name: /^Rerun job/ });
    await dialog.getByText(/Would ask the gateway about txn .* payment is now/).waitFor();
    await checkScreen(page);
    await reasonHasFocus(dialog);
    await gateway('ok');
    keys += await press(page, 'ArrowDown', 'Enter');
    expect(keys).toBeLessThanOrEqual(15);
    await dialog.waitFor({ state: 'hidden' });
    await expect.poll(state, { timeout: 180_000 }).toBe('paid');
    expect(await orders()).toHaveLength(1);

    await page.goto(`/support/jobs?job=${id}`);
    await page.getByRole('dialog').getByRole('link', { name: 'Open the payment' }).click();
    const payment = page.locator('.entry-linked');
    const line = payment.locator('[data-entry]');
    await expect.poll(() => line.evaluate((element) => element === document.activeElement)).toBe(true);
    await payment.getByText('Gateway events', { exact: true }).waitFor();
    await tabTo(page, payment.locator('.entry-event > summary').first());
    await press(page, 'Enter');
    await payment.getByText('mihpayid', { exact: true }).first().waitFor();
    await page.evaluate(() => window.scrollTo(0, 0)); // the header lies over half a button wherever the flow has scrolled to
    await checkScreen(page);
  });
});

describe('queues', () => {
  it('show their state, and only admins pause them', async () => {
    await page.goto('/support/queues');
    await page.getByRole('listitem', { name: 'Queue documents' }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: /^Pause/ }).count()).toBe(0);
    await page
      .getByRole('cell', { name: /Done|Running|Waiting/ })
      .first()
      .waitFor();
    await checkScreen(page);

    const other = await openBrowser({ width: widths.phone, dark: true });
    try {
      await signInStaff(other.page, staff.admin, '/support/queues');
      const documents = other.page.getByRole('listitem', { name: 'Queue documents' });
      await tabTo(other.page, documents.getByRole('button', { name: 'Pause documents' }));
      await other.page.keyboard.press('Enter');
      await because(other.page, 'Maintenance of the store');
      await documents.getByText('Paused').waitFor();
      // The server checks for causes every 15 s, and the console polls alerts at the same interval.
      const alerts = other.page.getByRole('region', { name: 'Alerts' });
      await alerts.getByText('Queue documents is paused').first().waitFor({ state: 'attached', timeout: 180_000 });
      await checkScreen(other.page);
      await tabTo(other.page, documents.getByRole('button', { name: 'Resume documents' }));
      await other.page.keyboard.press('Enter');
      await because(other.page, 'Maintenance is over');
      await documents.getByText('Fine').waitFor();
    } finally {
      await other.close();
    }
    expect(other.faults).toEqual([]);
  });
});
