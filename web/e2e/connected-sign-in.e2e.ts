import type { Page } from 'playwright-core';
import { describe, it } from 'vitest';
import { inBrowser } from './support/browser';
import { freePort, startReceiver } from './support/receiver';
import { checkScreen, heading } from './support/shop';
import { because, becauseProved, signInStaff, staff } from './support/staff';
import { checkBothWidths, newSubscriber, openDashboard } from './support/subscriber';

let page: Page;

inBrowser({}, (session) => (page = session.page));

/** Sets the sample up on the console and returns what its developer is given. */
async function connect(port: number): Promise<{ clientId: string; secret: string }> {
  await signInStaff(page, staff.admin, '/support/connected');
  await page.getByRole('button', { name: 'Add a sign-in' }).click();
  await page.getByLabel('What it is').fill('Sample system');
  await page.getByLabel('Where it starts a sign-in').fill(`http://127.0.0.1:${port}/login`);
  await page.getByLabel(/^Where people come back to/).fill(`http://127.0.0.1:${port}/callback`);
  await checkBothWidths(page);
  await becauseProved(page, 'It goes live', staff.admin);
  const shown = page.getByRole('dialog', { name: 'Copy the secret now' });
  const secret = await shown.locator('code').innerText();
  await checkScreen(page);
  await page.keyboard.press('Escape');
  await shown.waitFor({ state: 'detached' });
  const card = page.getByRole('listitem', { name: 'Sign-in to Sample system' });
  await checkBothWidths(page);
  return { clientId: await card.locator('code').innerText(), secret };
}

/** Presses the dashboard's button and returns the page that opens. */
async function access(): Promise<Page> {
  const opened = page.context().waitForEvent('page');
  await page.getByRole('link', { name: /^Access Franchise Dashboard/ }).click();
  return opened;
}

describe('a connected system', () => {
  it('lets customers in from their dashboard, and no longer once it is disabled', async () => {
    const port = await freePort();
    const { clientId, secret } = await connect(port);
    const close = await startReceiver(port, clientId, secret);
    try {
      const person = await newSubscriber('trial');
      await openDashboard(page, person);
      const inside = await access();
      await inside.getByRole('heading', { name: 'Signed in' }).waitFor();
      await inside.getByText('owner', { exact: true }).waitFor();
      await inside.getByText(/trialing/).waitFor();
      await inside.getByRole('button', { name: 'Sign out' }).click();
      await inside.getByRole('link', { name: 'Sign in with Franchise 360' }).click();
      await inside.getByRole('heading', { name: 'Signed in' }).waitFor();
      await inside.close();

      // Whoever is not signed in here does so first, and arrives there all the same.
      await page.context().clearCookies();
      await page.goto(`http://127.0.0.1:${port}/login`);
      await page.getByLabel('Mobile number').fill(person.mobile);
      await page.getByLabel('Password', { exact: true }).fill(person.password);
      await page.getByRole('button', { name: 'Login' }).click();
      await page.getByRole('heading', { name: 'Signed in' }).waitFor();

      await signInStaff(page, staff.admin, '/support/connected');
      await page.getByRole('button', { name: 'Remove Sample system' }).click();
      await because(page, 'It was a trial');
      await page.getByText('There is none: Access Franchise Dashboard').waitFor();
      await page.goto(`http://127.0.0.1:${port}/login`);
      await heading(page, 'This sign-in did not work');
      await checkBothWidths(page);
      await page.goto('/dashboard');
      const store = await access();
      await store.getByRole('heading', { level: 1, name: 'Franchise dashboard' }).waitFor();
    } finally {
      await close();
    }
  });
});
