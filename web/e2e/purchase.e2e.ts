import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { inBrowser, widths } from './support/browser';
import { newCustomer, saveAddress } from './support/customer';
import { devices } from './support/devices';
import { codeFor, newPerson } from './support/people';
import { at, checkScreen, choosePlan, endPayment, giveAddress, heading, openStore, signIn } from './support/shop';

let page: Page;

const bar = () => page.getByRole('region', { name: 'Your choice' });
const dialog = () => page.getByRole('dialog', { name: 'Payment Details' });

/** A user with an address, at the payment details of Start up · Expansion. */
async function reachPaymentDetails() {
  const person = newPerson();
  const [customer, context] = await newCustomer(person);
  await saveAddress(customer);
  await context.dispose();
  await signIn(page, person);
  await choosePlan(page, 'Start up');
  await page.getByRole('button', { name: 'View Details' }).click();
  await dialog().getByRole('button', { name: 'Pay ₹1,59,300' }).waitFor();
}

describe.each(devices)('on %s', (_device, width, dark) => {
  inBrowser({ width, dark }, (session) => (page = session.page));

  it('a stranger chooses once, signs up on the way, pays, and ends on the dashboard with the invoice', async () => {
    const person = newPerson();
    await choosePlan(page, 'Start up');
    await page.getByRole('radio', { name: /^Apex/ }).check();
    await page
      .getByRole('group', { name: 'Franchise extension' })
      .getByRole('radio', { name: /per year/ })
      .check();
    await bar().getByText('₹3,75,240').waitFor();
    await checkScreen(page);
    const { height = 0 } = (await bar().boundingBox()) ?? {};
    expect(height).toBeLessThanOrEqual(145);

    await page.getByRole('button', { name: 'Secure Payment' }).click();
    await heading(page, 'Your account');
    await page.getByLabel('Email').fill(person.email);
    await page.getByLabel('Password', { exact: true }).fill(person.password);
    await page.getByLabel('Mobile number').fill(person.mobile);
    await page.getByRole('checkbox', { name: /I agree/ }).check();
    await page.getByRole('button', { name: 'Create account' }).last().click();
    await page.getByLabel('Verification code').fill(await codeFor(person.mobile));
    await page.keyboard.press('Enter');
    await heading(page, 'Billing and payment');
    await giveAddress(page, false);
    await page.getByRole('button', { name: 'Pay ₹3,75,240' }).click();
    await page.getByText('₹3,75,240').first().waitFor();
    await endPayment(page, 'Pay');

    await heading(page, 'Congratulations!');
    await page.getByText('Your Order has been successfully placed', { exact: true }).waitFor();
    await checkScreen(page);
    await page.getByRole('link', { name: 'Set up your store' }).click();
    await heading(page, 'Set up your store');
    await openStore(page, `Store ${person.mobile}`);
    await page.getByRole('link', { name: 'Dashboard', exact: true }).last().click();
    await at(page, '/dashboard');

    await heading(page, `Store ${person.mobile}`);
    await page.getByRole('region', { name: 'Your plan' }).getByText('of 46 franchises used').waitFor();
    await page.getByRole('button', { name: 'Cancel Franchise extension' }).waitFor();
    const invoice = page.getByRole('button', { name: /^Download invoice FP\/\d\d-\d\d\/\d{6}, PDF$/ });
    await invoice.waitFor();
    await checkScreen(page);
    const opened = page.context().waitForEvent('page');
    await invoice.click();
    await opened;
    await page.getByText('Invoice Downloaded').waitFor();
  });

  it('a failed payment says so and keeps the choice for the next try', async () => {
    await reachPaymentDetails();
    await dialog().getByRole('button', { name: 'Pay ₹1,59,300' }).click();
    await endPayment(page, 'Fail');
    await heading(page, 'Failed');
    await page.getByText('Your order could not be processed', { exact: true }).waitFor();
    await checkScreen(page);
    await page.getByRole('link', { name: 'Try Again' }).click();
    await heading(page, 'Choose Your Plan');
    await expect.poll(() => page.getByRole('radio', { name: /^Expansion/ }).isChecked()).toBe(true);
    await bar().getByText('₹1,59,300').waitFor();
  });
});

describe('the way to the gateway and back', () => {
  inBrowser({ width: widths.desktop }, (session) => (page = session.page));

  it('Back from the gateway offers to resume the same payment', async () => {
    await reachPaymentDetails();
    await dialog().getByRole('button', { name: 'Pay ₹1,59,300' }).click();
    await page.getByRole('heading', { name: 'Complete your payment' }).waitFor();
    const first = await page.locator('dd').nth(1).innerText();
    await page.goBack();
    await heading(page, 'Your payment is not finished');
    await checkScreen(page);
    await page.getByRole('button', { name: 'Resume payment' }).click();
    await page.getByRole('heading', { name: 'Complete your payment' }).waitFor();
    await expect.poll(() => page.locator('dd').nth(1).innerText()).toBe(first);
    await endPayment(page, 'Pay');
    await heading(page, 'Congratulations!');
  });

  it('a pending payment is confirmed while the page waits', async () => {
    await reachPaymentDetails();
    await dialog().getByRole('button', { name: 'Pay ₹1,59,300' }).click();
    await endPayment(page, 'Leave pending');
    await heading(page, 'Confirming your payment…');
    await checkScreen(page);
  });

  it('a wrong amount is held, and nothing is activated', async () => {
    await reachPaymentDetails();
    await dialog().getByRole('button', { name: 'Pay ₹1,59,300' }).click();
    await endPayment(page, 'Charge a wrong amount');
    await heading(page, 'Payment under review');
    await checkScreen(page);
    await page.goto('/dashboard');
    await at(page, '/pricing');
  });

  it('an unpaid order waits under Renewals and Billing and is paid from there', async () => {
    await reachPaymentDetails();
    await dialog().getByRole('button', { name: 'Pay ₹1,59,300' }).click();
    await page.getByRole('heading', { name: 'Complete your payment' }).waitFor();
    await page.goto('/subscription_list');
    await heading(page, 'Renewals and Billing');
    await checkScreen(page);
    await page.getByRole('button', { name: /^Pay ₹1,59,300 for Start up/ }).click();
    await dialog()
      .getByText(/nothing is charged twice/)
      .waitFor();
    await dialog().getByRole('button', { name: 'Pay ₹1,59,300' }).click();
    await endPayment(page, 'Pay');
    await heading(page, 'Congratulations!');
    await page.goto('/subscription_list?tab=payments');
    await page.getByText('1 payment').waitFor();
    await checkScreen(page);
  });
});
