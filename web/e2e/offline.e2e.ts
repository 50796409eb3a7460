import type { Page } from 'playwright-core';
import { it } from 'vitest';
import { inBrowser, widths } from './support/browser';
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
