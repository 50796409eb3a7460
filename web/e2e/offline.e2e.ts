import type { Page } from 'playwright-core';
import { it } from 'vitest';
import { inBrowser, takenOver, widths } from './support/browser';
import { newPerson } from './support/people';
import { checkScreen, heading } from './support/shop';
import { newSubscriber, openDashboard } from './support/subscriber';

let page: Page;

inBrowser({ width: widths.phone }, (session) => (page = session.page));

it('a screen that cannot be fetched without a network says so, and opens when the network is back', async () => {
  await openDashboard(page, await newSubscriber({ plan: 'Start up' }));
  await page.context().setOffline(true);
  await page.getByText(/^You are offline\. What you see stays/).waitFor();
  await page.getByRole('link', { name: 'Renewals & Billing' }).first().click();
  await heading(page, 'You are offline');
  await checkScreen(page);
  await page.context().setOffline(false);
  await heading(page, 'Renewals and Billing');
});

it('a sign-up that was sent without a network is sent again when it is back, and asks for its code', async () => {
  const person = newPerson();
  await page.goto('/sign-up');
  await takenOver(page);
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByLabel('Mobile number').fill(person.mobile);
  await page.getByRole('checkbox', { name: /I agree/ }).check();
  await page.context().setOffline(true);
  await page.getByRole('button', { name: 'Sign up' }).click();
  await page.getByText('We could not reach the server.').first().waitFor();
  await page.context().setOffline(false);
  await page.getByRole('button', { name: 'Sign up' }).click();
  await page.getByRole('dialog', { name: 'Verify your mobile number' }).waitFor();
  await page.getByLabel('Verification code').waitFor();
});
