import type { Page } from 'playwright-core';
import { it } from 'vitest';
import { inBrowser } from './support/browser';
import { choosePlan, heading } from './support/shop';
import { card, checkBothWidths, newSubscriber, openDashboard, payDetails, paymentDetails } from './support/subscriber';

let page: Page;

inBrowser({}, (session) => (page = session.page));

it('a larger plan is previewed line by line with the unused days credited, paid, and runs at once', async () => {
  const person = await newSubscriber({ plan: 'Start up' });
  await openDashboard(page, person);
  await page.getByRole('link', { name: 'Change plan' }).click();
  await heading(page, 'Plans and Pricing');
  await checkBothWidths(page);
  await choosePlan(page, 'Start up');
  await page.getByRole('radio', { name: /^Apex/ }).check();
  await page.getByRole('region', { name: 'Your choice' }).getByText('₹1,27,440').waitFor();
  await checkBothWidths(page);
  await page.getByRole('button', { name: 'Secure Payment' }).click();
  const lines = paymentDetails(page).getByRole('table', { name: 'The charge, line by line' });
  for (const line of [
    'Start up · Apex, yearly ₹2,70,000',
    'Annual payment discount 10% -₹27,000',
    'Taxable value ₹2,43,000',
    'CGST 9% ₹21,870',
    'SGST 9% ₹21,870',
    'Invoice total ₹2,86,740',
    'Total ₹1,27,440',
  ]) {
    await lines.getByRole('row', { name: line, exact: true }).waitFor();
  }
  await lines
    .getByRole('row', { name: /^Unused part of Start up · Expansion, credit note to FP\/[\d/-]+ -₹1,59,300$/ })
    .waitFor();
  await paymentDetails(page)
    .getByText(/The unused days of your present plan come back by a credit note/)
    .waitFor();
  await checkBothWidths(page);
  await payDetails(page);
  await page.getByText('Your new plan is active.').waitFor();
  await page.getByRole('link', { name: 'View Order' }).click();
  await card(page, 'Your plan').getByText('Start up · Apex').waitFor();
  await card(page, 'Your plan').getByText('of 36 franchises used').waitFor();
});
