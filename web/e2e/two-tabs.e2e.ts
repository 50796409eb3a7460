import type { Page } from 'playwright-core';
import { beforeEach, expect, it } from 'vitest';
import { inBrowser } from './support/browser';
import { newCustomer, saveAddress } from './support/customer';
import { newPerson } from './support/people';
import { checkScreen, choosePlan, endPayment, heading, signIn } from './support/shop';
import { paymentDetails } from './support/subscriber';

let page: Page;

inBrowser({}, (session) => (page = session.page));
beforeEach(async () => {
  const person = newPerson();
  const [customer, context] = await newCustomer(person);
  await saveAddress(customer);
  await context.dispose();
  await signIn(page, person);
});

const payButton = (tab: Page) => paymentDetails(tab).getByRole('button', { name: 'Pay ₹1,59,300' });

async function review(tab: Page): Promise<void> {
  await choosePlan(tab, 'Start up');
  await tab.getByRole('button', { name: 'View Details' }).click();
  await payButton(tab).waitFor();
}

const orderAtGateway = (tab: Page) => tab.locator('dd').nth(1).innerText();

it('two tabs that pay the same plan meet at one charge, and the second one learns that it is paid', async () => {
  const other = await page.context().newPage();
  await review(page);
  await review(other);
  await Promise.all([payButton(page).click(), payButton(other).click()]);
  await Promise.all([page, other].map((tab) => tab.getByRole('heading', { name: 'Complete your payment' }).waitFor()));
  expect(await orderAtGateway(page)).toBe(await orderAtGateway(other));
  await endPayment(page, 'Pay');
  await heading(page, 'Congratulations!');
  await other.goBack();
  await heading(other, 'Congratulations!');
  await page.goto('/subscription_list?tab=payments');
  await page.getByText('1 payment', { exact: true }).waitFor();
});

it('paying in a second tab after the first tab has paid charges nothing', async () => {
  const other = await page.context().newPage();
  await review(page);
  await review(other);
  await payButton(page).click();
  await endPayment(page, 'Pay');
  await heading(page, 'Congratulations!');
  await payButton(other).click();
  await paymentDetails(other).getByText('You already have this plan.').waitFor();
  await checkScreen(other);
});

it('a reload at the gateway’s door and on the result keeps the order', async () => {
  await review(page);
  await payButton(page).click();
  await page.getByRole('heading', { name: 'Complete your payment' }).waitFor();
  const order = await orderAtGateway(page);
  await page.goto('/checkout/pay');
  await heading(page, 'Your payment is not finished');
  await page.reload();
  await heading(page, 'Your payment is not finished');
  await page.getByText(order).waitFor();
  await page.getByRole('button', { name: 'Resume payment' }).click();
  await endPayment(page, 'Leave pending');
  await heading(page, 'Confirming your payment…');
  await page.reload();
  await heading(page, 'Confirming your payment…');
  await page.getByText(order).waitFor();
});

it('without a network paying says so, keeps the details, and goes on once it is back', async () => {
  await review(page);
  await page.context().setOffline(true);
  await payButton(page).click();
  await paymentDetails(page).getByText('We could not reach the server. Check your connection and try again.').waitFor();
  await checkScreen(page);
  await page.context().setOffline(false);
  await payButton(page).click();
  await endPayment(page, 'Pay');
  await heading(page, 'Congratulations!');
});
