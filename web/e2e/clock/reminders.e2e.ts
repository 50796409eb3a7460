import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { inBrowser, openBrowser, widths } from '../support/browser';
import { press, retype, tabTo } from '../support/keyboard';
import { emailedPath, smsPath } from '../support/people';
import { checkScreen, heading, signIn } from '../support/shop';
import { checkBothWidths, daysPass, newSubscriber, planFact, storeOf } from '../support/subscriber';

let page: Page;

inBrowser({ width: widths.phone }, (session) => (page = session.page));

const LINK = /\/p\/[\w-]{38}/;
const nothingToPay = (one: Page) => one.getByText('There is nothing to pay any more.').waitFor({ timeout: 180_000 });
const gatewayPage = (one: Page) => one.getByRole('heading', { name: 'Complete your payment' }).waitFor();

it('who has a reminder’s link pays that renewal without a login, once', async () => {
  const person = await newSubscriber({ plan: 'Start up', type: 'monthly' });
  await daysPass(page, person, 24);
  const link = await smsPath(person.mobile, LINK);
  const payer = await openBrowser({ width: widths.phone, dark: true });
  const first = payer.page;
  await first.goto(link);
  await heading(first, 'Renew a plan');
  await first.getByText('St••• 9', { exact: false }).waitFor();
  await checkScreen(first);
  const second = await payer.context.newPage();
  await second.goto(link);
  await second.getByLabel('Your mobile number').waitFor();

  const pay = first.getByRole('button', { name: 'Pay ₹14,750' });
  await press(first, 'button', 'Pay ₹14,750');
  await first.getByText('There is a problem').waitFor();
  await checkScreen(first);
  await retype(first, 'Your mobile number', '9123456789');
  await first.keyboard.press('Enter');
  await gatewayPage(first);
  await first.goBack();
  await pay.waitFor();
  await retype(first, 'Your mobile number', '9123456789');
  await first.keyboard.press('Enter');
  await gatewayPage(first);
  await first.getByRole('button', { name: 'Fail', exact: true }).click();
  await first.getByText(/The payment did not go through/).waitFor();
  await checkScreen(first);
  await retype(first, 'Your mobile number', '9123456789');
  await first.keyboard.press('Enter');
  await gatewayPage(first);
  await first.getByRole('button', { name: /^Pay ₹/ }).click();
  await first.getByText('We have received the payment. Thank you.').waitFor({ timeout: 180_000 });
  await checkScreen(first);

  await second.getByLabel('Your mobile number').fill('9123456780');
  await second.getByRole('button', { name: 'Pay ₹14,750' }).click();
  await nothingToPay(second);
  await first.goto(link);
  await nothingToPay(first);
  await first.goto(`${link.slice(0, -1)}${link.endsWith('A') ? 'B' : 'A'}`);
  await first.getByText('This link does not work.').waitFor();
  await checkScreen(first);
  await daysPass(page, person, 32);
  await first.goto(link);
  await first.getByText('This link does not work.').waitFor();
  await payer.close();
  expect(payer.faults).toEqual([]);
});

it('reminders reach a confirmed address until they are stopped, and stand among the notifications', async () => {
  const person = await newSubscriber({ plan: 'Start up', type: 'monthly' });
  await signIn(page, person);
  await page.goto(await emailedPath(person.email, /\/account\/confirm-email#\S+/));
  await heading(page, 'Confirm your e-mail address');
  expect(page.url()).not.toContain('#');
  await checkScreen(page);
  await press(page, 'button', 'Confirm this address');
  await page
    .getByRole('status')
    .filter({ hasText: /confirmed/ })
    .waitFor();
  await daysPass(page, person, 24);
  const link = await emailedPath(person.email, LINK);

  await page.goto('/dashboard');
  await heading(page, storeOf(person));
  await planFact(page, 'Renews on');
  await page.getByRole('link', { name: /^Notifications, \d+ not read$/ }).click();
  await heading(page, 'Notifications');
  const list = page.getByRole('main').getByRole('listitem');
  await list.filter({ hasText: /We received/ }).waitFor();
  await list
    .filter({ hasText: /ends on|Renew/ })
    .first()
    .waitFor();
  await checkBothWidths(page);
  await page.setViewportSize({ width: widths.phone, height: 900 });
  await press(page, 'button', 'Mark all as read');
  await page.getByRole('link', { name: 'Notifications', exact: true }).waitFor();
  await expect.poll(() => page.getByText('Not read:').count()).toBe(0);
  await list
    .filter({ hasText: /We received/ })
    .getByRole('link')
    .click();
  await heading(page, 'Your order');

  const stop = await emailedPath(person.email, /\/stop-reminders\/\S+/);
  const anybody = await openBrowser({ width: widths.phone });
  await anybody.page.goto(link);
  await anybody.page.getByRole('button', { name: 'Pay ₹14,750' }).waitFor();
  await anybody.page.goto(stop);
  await heading(anybody.page, 'Stop reminders by e-mail');
  await checkScreen(anybody.page);
  await press(anybody.page, 'button', 'Stop reminders by e-mail');
  await anybody.page
    .getByRole('status')
    .filter({ hasText: /e-mail/ })
    .waitFor();
  await checkScreen(anybody.page);
  await anybody.page.goto(`${stop.slice(0, -2)}xx`);
  await press(anybody.page, 'button', 'Stop reminders by e-mail');
  await anybody.page.getByText(/This link does not work/).waitFor();
  await anybody.close();
  expect(anybody.faults).toEqual([]);

  await page.goto('/account/security');
  const bySms = page.getByRole('checkbox', { name: 'Reminders by SMS' });
  await bySms.waitFor();
  await expect.poll(() => page.getByRole('checkbox', { name: 'Reminders by e-mail' }).isChecked()).toBe(false);
  await tabTo(page, bySms);
  await page.keyboard.press('Space');
  await page.getByText(/You are then reminded on this site only/).waitFor();
  await expect.poll(() => bySms.evaluate((element) => element === document.activeElement)).toBe(true);
  await checkScreen(page);
});
