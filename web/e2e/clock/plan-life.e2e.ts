import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { inBrowser, openBrowser, widths } from '../support/browser';
import { messagesTo, type Person } from '../support/people';
import { at, checkScreen, heading } from '../support/shop';
import { beginAct, because, findCustomer, signInStaff, staff } from '../support/staff';
import {
  card,
  checkBothWidths,
  daysPass,
  newSubscriber,
  openDashboard,
  payDetails,
  paymentDetails,
  planFact,
  storeOf,
  yearsAfter,
} from '../support/subscriber';

let page: Page;

inBrowser({}, (session) => (page = session.page));

const daysAfter = (day: string, days: number) =>
  new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
    .format(Date.parse(`${day} UTC`) + days * 86_400_000)
    .replace('Sept', 'Sep');

/** Staff extend the grace by five days, by keyboard alone; returns the old and the new end as shown on their screen. */
async function extendGrace({ mobile }: Person, until: string): Promise<string> {
  const desk = await openBrowser({ width: widths.desktop });
  await signInStaff(desk.page, staff.support);
  await findCustomer(desk.page, mobile);
  const end = desk.page
    .getByRole('term')
    .filter({ hasText: /^Grace ends$/ })
    .locator('xpath=following-sibling::dd');
  expect((await end.innerText()).trim()).toBe(until);
  await beginAct(desk.page, 'Extend grace');
  // The dialog takes the focus a moment after it is shown.
  await desk.page.getByLabel('Reason', { exact: true }).and(desk.page.locator(':focus')).waitFor();
  await desk.page.keyboard.press('Shift+Tab');
  await desk.page.keyboard.type('5');
  await desk.page.keyboard.press('Tab');
  await because(desk.page, 'Her bank holds the payment up');
  await desk.page.getByRole('dialog').waitFor({ state: 'hidden' });
  // On a busy machine the page may give up its own refetch; a colleague would load it again.
  await desk.page.reload();
  await desk.page
    .locator('[data-entry]')
    .filter({ hasText: 'Extended the grace' })
    .filter({ hasText: 'Sunita Support' })
    .waitFor();
  await expect.poll(async () => (await end.innerText()).trim()).not.toBe(until);
  const later = (await end.innerText()).trim();
  await checkScreen(desk.page);
  await desk.page.goto('/support/audit?action=extend_grace');
  await desk.page.getByText('Her bank holds the payment up').first().waitFor();
  await desk.close();
  expect(desk.faults).toEqual([]);
  return later;
}

const renewNow = () => page.getByRole('button', { name: 'Renew now' });

it('a plan is renewed early and in grace, each term beginning where the last one ended', async () => {
  const person = await newSubscriber({ plan: 'Start up' });
  const dashboard = async () => {
    await page.goto('/dashboard');
    await heading(page, storeOf(person));
  };
  await openDashboard(page, person);
  await card(page, 'Your plan').getByText('Active').waitFor();
  const first = await planFact(page, 'Renews on');
  await card(page, 'Next bill').getByText(`for Start up · Expansion, on ${first}`).waitFor();
  await expect.poll(() => renewNow().count()).toBe(0);
  await checkBothWidths(page);

  await daysPass(page, person, 340);
  await dashboard();
  await renewNow().waitFor();
  await checkBothWidths(page);
  expect((await messagesTo(person.mobile))[0]?.body).toMatch(/ends on/);
  await renewNow().click();
  await paymentDetails(page)
    .getByText(`Your next term starts on ${first} and renews on ${yearsAfter(first, 1)}.`)
    .waitFor();
  await payDetails(page);
  await page.getByText('Your plan is renewed.').waitFor();
  await dashboard();
  expect(await planFact(page, 'Renews on')).toBe(yearsAfter(first, 1));
  await card(page, 'Next bill')
    .getByText(`on ${yearsAfter(first, 1)}`)
    .waitFor();
  await expect.poll(() => renewNow().count()).toBe(0);

  await daysPass(page, person, 27 + 366);
  await dashboard();
  await card(page, 'Your plan').getByText('Payment overdue').waitFor();
  const ended = await planFact(page, 'Ended on');
  expect(ended).toBe(daysAfter(yearsAfter(first, 1), -1));
  const overdue = page.getByText(`Your plan ended on ${ended}. Renew by`);
  const renewBy = async () => /Renew by (\d+ \w+ \d+)/.exec(await overdue.innerText())?.[1] ?? '';
  const until = await renewBy();
  const later = await extendGrace(person, until);
  expect(later).toBe(daysAfter(until, 5));
  await dashboard();
  await overdue.waitFor();
  expect(await renewBy()).toBe(later);
  await page.getByRole('button', { name: 'Add add-ons' }).click();
  await card(page, 'Add-ons')
    .getByText(/Please renew your plan\./)
    .waitFor();
  await checkBothWidths(page);
  await page.getByRole('button', { name: 'Renew', exact: true }).click();
  await payDetails(page);
  await dashboard();
  await card(page, 'Your plan').getByText('Active').waitFor();
  expect(await planFact(page, 'Renews on')).toBe(yearsAfter(first, 2));
});

it('an expired plan says so, blocks what it must, and is renewed; a lapsed one too, from Renewals and Billing', async () => {
  const person = await newSubscriber({ plan: 'Start up', type: 'monthly', addOns: ['Users extension'] });
  await openDashboard(page, person);
  const end = daysAfter(await planFact(page, 'Renews on'), -1);
  await page.getByRole('button', { name: 'Cancel Users extension' }).waitFor();

  await daysPass(page, person, 31 + 8);
  await page.goto('/dashboard');
  await page.getByText(`Plan Expired On: ${end}`, { exact: true }).waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'Cancel Users extension' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Add add-ons' }).click();
  await card(page, 'Add-ons').getByText(`Plan Expired On: ${end}. Please renew your plan.`).waitFor();
  await checkBothWidths(page);
  await page.getByRole('button', { name: 'Renew', exact: true }).click();
  await payDetails(page);
  await page.goto('/dashboard');
  await card(page, 'Your plan').getByText('Active').waitFor();
  await page.getByRole('button', { name: 'Cancel Users extension' }).waitFor();

  await daysPass(page, person, 31 + 7 + 91);
  await page.goto('/dashboard');
  await at(page, '/pricing');
  await page.getByText(/^Plan Expired On:/).waitFor();
  await page.goto('/subscription_list');
  await page.getByText(/^Your plan has ended\./).waitFor();
  await checkBothWidths(page);
  await page.getByRole('button', { name: 'Renew', exact: true }).click();
  await payDetails(page);
  await page.getByRole('link', { name: 'View Order' }).click();
  await heading(page, 'Your order');
  await page.getByRole('link', { name: 'Dashboard', exact: true }).last().click();
  await heading(page, storeOf(person));
  await card(page, 'Your plan').getByText('Active').waitFor();
});
