import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { LanguageCode } from '../../src/lib/languages';
import { inBrowser, openBrowser, widths } from '../support/browser';
import { customerOf } from '../support/customer';
import { press } from '../support/keyboard';
import { clockNow, messagesTo, type Person } from '../support/people';
import { endPayment, heading } from '../support/shop';
import { findCustomer, signInStaff, staff } from '../support/staff';
import { card, checkFromTop, daysPass, newSubscriber, openDashboard, openIn, timePasses } from '../support/subscriber';

let page: Page;

inBrowser({ width: widths.phone }, (session) => (page = session.page));

const DAY = 86_400_000;

/** As far as the tests wait for it, what the API answers about automatic renewal. */
interface Renewal {
  mandate: {
    state: string;

    next_debit: { on: string; amount: string; announced: boolean } | null;
  } | null;
  debits: { state: string }[];
}

const renewal = () => customerOf(page.request).call<Renewal>('GET', '/subscription/automatic-renewal');

/** Waits until the API says so. What waits for a later time of day comes by moving the clock on, with no page open. */
async function until(what: string, person: Person, is: (now: Renewal) => boolean): Promise<Renewal> {
  let now = await renewal();
  for (let tries = 1; !is(now); tries += 1) {
    expect(tries, `${what}: ${JSON.stringify(now)}`).toBeLessThan(10);
    await timePasses(page, person, 900);
    now = await renewal();
  }
  return now;
}

/** Opens the page of automatic renewal in a language, and waits for words on it. */
async function read(words: string | RegExp, language: LanguageCode = 'en'): Promise<void> {
  await openIn(page, language, '/dashboard/automatic-renewal');
  await heading(page, language === 'hi' ? 'अपने आप रिन्यू' : 'Automatic renewal');
  await page.getByRole('main').getByText(words, { exact: true }).first().waitFor();
}

/** Days from now to a date, in Indian time from ten in the morning on. */
const daysTo = async (date: string) => Math.round((Date.parse(date) - (await clockNow()).getTime()) / DAY);

/** Agrees by keyboard alone to UPI AutoPay in the last week before a renewal, and pays that renewal in the same step. */
async function agree(): Promise<void> {
  await press(page, 'button', 'Use UPI AutoPay');
  const dialog = page.getByRole('dialog', { name: 'Automatic renewal by UPI AutoPay' });
  const consent = dialog.getByRole('checkbox', {
    name: /^Pay ₹14,750, GST included, every month .* at most ₹15,000 per debit/,
  });
  expect(await consent.isChecked()).toBe(false);
  await press(page, 'button', 'Continue to payment');
  await dialog.getByRole('alert').getByText('Please read what you agree to, and tick it.').waitFor();
  await checkFromTop(page);
  await consent.focus();
  await page.keyboard.press('Space');
  await press(page, 'button', 'Continue to payment');
  await endPayment(page, 'Pay');
}

/** Staff see the mandate that ended and its debit on the customer's page. */
async function staffSee({ mobile }: Person): Promise<void> {
  const desk = await openBrowser({ width: widths.phone });
  await signInStaff(desk.page, staff.support);
  await findCustomer(desk.page, mobile);
  const mandates = desk.page.getByRole('region', { name: 'Automatic renewal' });
  await mandates.getByText('revoked').waitFor();
  await mandates.getByRole('row').filter({ hasText: 'paid' }).waitFor();
  await checkFromTop(desk.page);
  await desk.close();
  expect(desk.faults).toEqual([]);
}

it(
  'a customer agrees once, is told, is debited, and stops, in English and in Hindi',
  { timeout: 600_000 },
  async () => {
    const person = await newSubscriber({ plan: 'Start up', type: 'monthly' });
    await daysPass(page, person, 24);
    await openDashboard(page, person);
    await card(page, 'Automatic renewal').getByText('Off. You pay each renewal by hand.').waitFor();
    await checkFromTop(page);
    await read('UPI AutoPay चुनें', 'hi');
    await checkFromTop(page);
    await read('Use UPI AutoPay');
    await agree();

    const { mandate } = await until(
      'the mandate is active',
      person,
      (now) => now.mandate?.state === 'active' && now.mandate.next_debit !== null,
    );
    const { on, amount } = mandate?.next_debit ?? expect.fail('no next debit');
    expect(amount).toBe('₹14,750');
    await read('On');
    await page.getByText('Nothing has been debited or announced yet.').waitFor();
    await checkFromTop(page);

    await daysPass(page, person, (await daysTo(on)) - 5);
    await until('the debit is announced', person, ({ debits }) => debits[0]?.state === 'planned');
    await read('Announced.');
    await page.getByRole('button', { name: 'Skip this debit' }).waitFor();
    await checkFromTop(page);
    await expect
      .poll(async () => (await messagesTo(person.mobile)).some(({ body }) => /14750|14,750/.test(body)), {
        timeout: 60_000,
      })
      .toBe(true);
    await read(/सूचना दी गई/, 'hi');
    await checkFromTop(page);

    await daysPass(page, person, (await daysTo(on)) - 2);
    await until('the bank is told', person, ({ debits }) => debits[0]?.state === 'noticed');
    await read('Announced to your bank.');
    await daysPass(page, person, await daysTo(on));
    await timePasses(page, person, 3 * 3600 + 600); // NPCI debits from one to five
    await until('the renewal is debited', person, ({ debits }) => debits[0]?.state === 'paid');
    await read('Paid.');
    await checkFromTop(page);
    await read(/भुगतान हो गया/, 'hi');
    await checkFromTop(page);

    await press(page, 'button', 'अपने आप रिन्यू बंद करें');
    await page.getByRole('dialog').waitFor();
    await checkFromTop(page);
    await page.getByRole('dialog').getByRole('button', { name: 'हाँ, बंद करें' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await until('the bank has ended the mandate', person, (now) => now.mandate?.state === 'revoked');
    await read('Set it up');
    expect(await page.getByRole('button', { name: 'Stop automatic renewal' }).count()).toBe(0);
    await staffSee(person);
  },
);
