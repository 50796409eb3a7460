import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { inBrowser } from '../support/browser';
import { messagesTo } from '../support/people';
import { choosePlan, heading } from '../support/shop';
import {
  card,
  checkBothWidths,
  daysPass,
  newSubscriber,
  openDashboard,
  payDetails,
  planFact,
  storeOf,
} from '../support/subscriber';

let page: Page;

inBrowser({ dark: true }, (session) => (page = session.page));

it('a free trial is announced, reminded of, ends, and is turned into a plan', async () => {
  const person = await newSubscriber('trial');
  await openDashboard(page, person);
  await card(page, 'Your plan').getByText('Free trial', { exact: true }).waitFor();
  const end = await planFact(page, 'Ends on');
  await page.getByText(`Your free trial ends on ${end}.`).waitFor();
  await page.getByRole('button', { name: 'Add add-ons' }).click();
  await card(page, 'Add-ons').getByText('Choose a plan first: the free trial takes no add-ons.').waitFor();
  await checkBothWidths(page);

  await daysPass(page, person, 12);
  await expect.poll(async () => (await messagesTo(person.mobile))[0]?.body).toContain(`free trial ends on ${end}`);
  await daysPass(page, person, 3);
  await page.goto('/dashboard');
  await page.getByText(`Your free trial ended on ${end}.`, { exact: true }).first().waitFor();
  await checkBothWidths(page);
  await page.getByRole('link', { name: 'Choose a plan' }).first().click();
  await page.waitForURL('**/pricing**');
  await choosePlan(page, 'Start up');
  await page.getByRole('button', { name: 'View Details' }).click();
  await payDetails(page);
  await page.getByRole('link', { name: 'View Order' }).click();
  await heading(page, 'Your order');
  await page.getByRole('link', { name: 'Dashboard', exact: true }).last().click();
  await heading(page, storeOf(person));
  await card(page, 'Your plan').getByText('Active').waitFor();
  await card(page, 'Your plan').getByText('/billed annually').waitFor();
});
