import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { LanguageCode } from '../../src/lib/languages';
import { inBrowser, openBrowser, widths } from '../support/browser';
import { customerOf } from '../support/customer';
import { press } from '../support/keyboard';
import { advanceClock, clockNow, messagesTo } from '../support/people';
import { checkScreen, endPayment, heading } from '../support/shop';
import { findCustomer, signInStaff, staff } from '../support/staff';
import { card, daysPass, newSubscriber, openDashboard } from '../support/subscriber';

let page: Page;

inBrowser({ width: widths.phone }, (session) => (page = session.page));

const PATH = '/dashboard/automatic-renewal';
const DAY = 86_400_000;

/** Opens the page of automatic renewal in a language, as somebody who chose that language. */
async function read(language: LanguageCode): Promise<void> {
  if (page.url() === 'about:blank') await page.goto('/');
  await page.evaluate((code) => localStorage.setItem('language', code), language);
  await page.goto(language === 'hi' ? `/hi${PATH}` : PATH);
  await heading(page, language === 'hi' ? 'अपने आप रिन्यू' : 'Automatic renewal');
}

/** Reads a screen again until it says something; workers and the gateway take their time. */
async function says(words: string | RegExp, language: LanguageCode = 'en'): Promise<void> {
  const found = page.getByRole('main').getByText(words).first();
  await expect
    .poll(
      async () => {
        await read(language);
        return found
          .waitFor({ timeout: 1500 })
          .then(() => true)
          .catch(() => false);
      },
      { timeout: 60_000, interval: 250 },
    )
    .toBe(true);
}

/** What the list of facts has beside a name. */
const fact = (name: string) => page.getByRole('term').filter({ hasText: name }).locator('xpath=following-sibling::dd');

it('a customer agrees once, is told, is debited, and stops, in English and in Hindi', async () => {
  const person = await newSubscriber({ plan: 'Start up', type: 'monthly' });
  await daysPass(page, person, 24);
  await openDashboard(page, person);
  await card(page, 'Automatic renewal').getByText('Off. You pay each renewal by hand.').waitFor();
  await checkScreen(page);

  await read('hi');
  await page.getByRole('button', { name: 'UPI AutoPay चुनें' }).waitFor();
  await checkScreen(page);
  await read('en');
  await press(page, 'button', 'Use UPI AutoPay');
  const dialog = page.getByRole('dialog', { name: 'Automatic renewal by UPI AutoPay' });
  const consent = dialog.getByRole('checkbox', {
    name: /^Pay ₹14,750, GST included, every month .* at most ₹15,000 per debit/,
  });
  expect(await consent.isChecked()).toBe(false);
  await press(page, 'button', 'Continue to payment');
  await dialog.getByRole('alert').getByText('Please read what you agree to, and tick it.').waitFor();
  await checkScreen(page);
  await consent.focus();
  await page.keyboard.press('Space');
  await press(page, 'button', 'Continue to payment');
  await endPayment(page, 'Pay');
  await advanceClock(700);
  await says('On');
  await expect.poll(() => fact('Next debit').innerText()).toMatch(/^₹14,750 on /);
  await page.getByText('Nothing has been debited or announced yet.').waitFor();
  await checkScreen(page);
  const day = Date.parse(`${(await fact('Next debit').innerText()).replace(/^.* on /, '')} UTC`);
  const daysTo = async () => Math.round((day - (await clockNow()).getTime()) / DAY);

  await daysPass(page, person, (await daysTo()) - 5);
  await says('Announced.');
  await page.getByRole('button', { name: 'Skip this debit' }).waitFor();
  await checkScreen(page);
  await expect
    .poll(async () => (await messagesTo(person.mobile)).some(({ body }) => /14750|14,750/.test(body)))
    .toBe(true);
  await says(/सूचना दी गई/, 'hi');
  await checkScreen(page);

  await daysPass(page, person, (await daysTo()) - 2);
  await says('Announced to your bank.');
  await daysPass(page, person, await daysTo());
  await page.goto('about:blank');
  await advanceClock(4 * 3600); // NPCI debits from one to five
  await customerOf(page.request).call('POST', '/login', { username: person.mobile, password: person.password });
  await says(/^(In progress|Paid)\.$/);
  await advanceClock(700);
  await says('Paid.');
  await says(/भुगतान हो गया/, 'hi');
  await checkScreen(page);

  await press(page, 'button', 'अपने आप रिन्यू बंद करें');
  await page.getByRole('dialog').waitFor();
  await checkScreen(page);
  await page.getByRole('dialog').getByRole('button', { name: 'हाँ, बंद करें' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await says('Set it up');
  expect(await page.getByRole('button', { name: 'Stop automatic renewal' }).count()).toBe(0);

  const desk = await openBrowser({ width: widths.phone });
  await signInStaff(desk.page, staff.support);
  await findCustomer(desk.page, person.mobile);
  const mandates = desk.page.getByRole('region', { name: 'Automatic renewal' });
  await mandates.getByText('revoked').waitFor();
  await mandates.getByRole('row').filter({ hasText: 'paid' }).waitFor();
  await checkScreen(desk.page);
  await desk.close();
  expect(desk.faults).toEqual([]);
});
