import type { Page } from 'playwright-core';
import { it } from 'vitest';
import { inBrowser, widths } from './support/browser';
import { checkScreen, heading } from './support/shop';
import { card, checkBothWidths, newSubscriber, openDashboard, payDetails, paymentDetails } from './support/subscriber';

let page: Page;

inBrowser({}, (session) => (page = session.page));

it('a larger plan is previewed line by line with the unused days credited, paid, and runs at once', async () => {
  const person = await newSubscriber({ plan: 'Start up' });
  await openDashboard(page, person);
  // The request to confirm the e-mail address arrives late, above the rest.
  await page.getByRole('button', { name: 'Later' }).click();
  await page.getByRole('link', { name: 'Change plan' }).click();
  await heading(page, 'Change plan');
  await page.getByRole('radio', { name: /^Start up Apex up to 36 franchises Now ₹1,27,440/ }).check();
  const table = page.getByRole('table', { name: 'What changes' });
  await table.getByRole('row', { name: 'Plan Start up · Expansion Start up · Apex', exact: true }).waitFor();
  await checkBothWidths(page);
  await page.setViewportSize({ width: widths.phone, height: 740 });
  await page.evaluate(() => window.scrollTo(0, 0));
  const bar = page.getByRole('button', { name: 'Start up · Apex ₹1,27,440 to pay now What changes' });
  await table.waitFor({ state: 'hidden' });
  await bar.click();
  await table.getByRole('row', { name: /^Renewal, with GST/ }).waitFor();
  await checkScreen(page);
  await bar.click();
  await page.getByRole('button', { name: 'Review and pay ₹1,27,440' }).click();
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
    .getByText(/You get a credit note for the unused days of your current plan/)
    .waitFor();
  await checkBothWidths(page);
  await payDetails(page);
  await page.getByText('Your new plan is active.').waitFor();
  await page.getByRole('link', { name: 'View Order' }).click();
  await heading(page, 'Your order');
  await page.getByRole('region', { name: 'Your order' }).getByText('Start up · Apex').waitFor();
  await checkBothWidths(page);
  await page.goto('/dashboard');
  await card(page, 'Your plan').getByText('Start up · Apex').waitFor();
  await card(page, 'Your plan').getByText('of 36 franchises used').waitFor();
});

it('a downgrade waits for the renewal, lists the features that end, and can be undone', async () => {
  const person = await newSubscriber({ plan: 'Growth' });
  await openDashboard(page, person);
  await page.goto('/dashboard/change-plan');
  await page.getByRole('radio', { name: /^Start up Expansion up to 18 franchises From / }).check();
  await page.getByRole('button', { name: 'Review the change' }).click();
  await paymentDetails(page).getByRole('button', { name: 'Schedule the change' }).click();
  await page.getByText(/^Your plan changes to Start up · Expansion, yearly, on /).waitFor();
  await checkBothWidths(page);
  await page.getByRole('button', { name: 'Undo this change' }).click();
  await page.getByText('The change is cancelled. Your plan stays as it is.').waitFor();
  await page.getByRole('button', { name: 'Undo this change' }).waitFor({ state: 'hidden' });
});
