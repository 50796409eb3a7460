import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { inBrowser } from '../support/browser';
import type { Person } from '../support/people';
import { choosePlan } from '../support/shop';
import {
  card,
  checkBothWidths,
  daysPass,
  newSubscriber,
  openDashboard,
  payDetails,
  paymentDetails,
  planFact,
} from '../support/subscriber';

let page: Page;

inBrowser({}, (session) => (page = session.page));

/** Cancels or reactivates an add-on and confirms it. */
async function change(name: string, action: 'Cancel' | 'Reactivate') {
  await page.getByRole('button', { name: `${action} ${name}` }).click();
  await page.getByRole('dialog').getByText('This will be updated in the next billing cycle.').waitFor();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: action === 'Cancel' ? 'Cancel add-on' : 'Reactivate' })
    .click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

/** Pays the next term of a monthly plan, which is possible in the last week before it. */
async function renew(person: Person) {
  await daysPass(page, person, 26);
  await page.goto('/dashboard');
  await page.getByRole('button', { name: 'Renew now' }).click();
  await payDetails(page);
}

it('an add-on is bought by the day, cancelled, reactivated, cancelled, and gone with the next cycle', async () => {
  const person = await newSubscriber({ plan: 'Start up', type: 'monthly', addOns: ['Users extension'] });
  await openDashboard(page, person);
  const end = await planFact(page, 'Renews on');
  await page.getByRole('button', { name: 'Add add-ons' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add add-ons' });
  await dialog.getByRole('checkbox', { name: /^Franchise extension/ }).check();
  await dialog.getByText('with 18% GST').waitFor();
  await checkBothWidths(page);
  await dialog.getByRole('button', { name: 'Secure Payment' }).click();
  await paymentDetails(page)
    .getByText(/^Franchise extension, \d+ of \d+ days$/)
    .waitFor();
  await checkBothWidths(page);
  await payDetails(page);
  await page.getByText('Your add-ons are active.').waitFor();

  await page.goto('/dashboard');
  await card(page, 'Your plan').getByText('of 28 franchises used').waitFor();
  await change('Franchise extension', 'Cancel');
  await card(page, 'Add-ons').getByText('Ends on').waitFor();
  await card(page, 'Next bill').getByText('Ends before it: Franchise extension.').waitFor();
  await change('Franchise extension', 'Reactivate');
  await card(page, 'Next bill').getByText('Ends before it').waitFor({ state: 'detached' });
  await change('Franchise extension', 'Cancel');
  await renew(person);

  await daysPass(page, person, 8);
  await page.goto('/dashboard');
  await card(page, 'Your plan').getByText('Active').waitFor();
  expect(await planFact(page, 'Renews on')).not.toBe(end);
  await page.getByRole('button', { name: 'Cancel Users extension' }).waitFor();
  await expect.poll(() => card(page, 'Add-ons').getByText('Franchise extension').count()).toBe(0);
  await card(page, 'Your plan').getByText('of 18 franchises used').waitFor();
});

it('a smaller plan is previewed line by line, waits for the renewal, and comes with it', async () => {
  const person = await newSubscriber({ plan: 'Growth', service: 'Apex', type: 'monthly' });
  await openDashboard(page, person);
  const end = await planFact(page, 'Renews on');
  await choosePlan(page, 'Start up');
  await page.getByRole('region', { name: 'Your choice' }).getByText('to pay now').waitFor();
  await page.getByRole('button', { name: 'Secure Payment' }).click();
  await paymentDetails(page).getByText(`Then, for the term from ${end}`).waitFor();
  const then = paymentDetails(page).getByRole('table', { name: 'The term after the change, line by line' });
  await then.getByRole('row', { name: 'Start up · Expansion, yearly ₹1,50,000' }).waitFor();
  await then.getByRole('row', { name: 'Annual payment discount 10% -₹15,000' }).waitFor();
  await then.getByRole('row', { name: 'CGST 9% ₹12,150' }).waitFor();
  await then.getByRole('row', { name: 'Total ₹1,59,300' }).waitFor();
  await checkBothWidths(page);
  await paymentDetails(page).getByRole('button', { name: 'Schedule the change' }).click();
  await page.getByText(`Your plan changes to Start up · Expansion, yearly, on ${end}.`).waitFor();
  await card(page, 'Next bill').getByText('Changes to Start up · Expansion with this bill.').waitFor();
  await card(page, 'Your plan').getByText('Growth').waitFor();
  await renew(person);

  await daysPass(page, person, 8);
  await page.goto('/dashboard');
  await card(page, 'Your plan').getByText('Start up').waitFor();
  await card(page, 'Your plan').getByText('/billed annually').waitFor();
});
