import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { signInAtStore } from '../scripts/walk.mjs';
import { inBrowser } from './support/browser';
import { tellDns } from './support/domain';
import { newPerson, type Person } from './support/people';
import { checkScreen, heading } from './support/shop';
import { card, checkBothWidths, newSubscriber, openDashboard, storeOf } from './support/subscriber';

let page: Page;
let person: Person;

const domain = `shop${newPerson().mobile}.example.in`;

inBrowser({ domain }, (session) => (page = session.page));
beforeEach(async () => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  person = await newSubscriber({ plan: 'Start up', addOns: ['Users extension'] });
  await openDashboard(page, person);
});

/** Opens the store's own dashboard from the account's and signs in there. */
async function enterStore(password: string): Promise<Page> {
  const opened = page.context().waitForEvent('page');
  await page.getByRole('link', { name: /^Access Franchise Dashboard/ }).click();
  const store = await opened;
  await store.getByRole('heading', { level: 1, name: 'Franchise dashboard' }).waitFor();
  await signInAtStore(store, { mobile: person.mobile, password });
  return store;
}

describe('the store at its own host', () => {
  it('is entered with the new store password only, and counts its franchises against the limit', async () => {
    const next = 'Papaya#2027';
    await page.getByRole('button', { name: 'Change store password' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change store password' });
    await checkBothWidths(page);
    await dialog.getByLabel('New password', { exact: true }).fill(next);
    await dialog.getByLabel('Confirm password', { exact: true }).fill(next);
    await dialog.getByLabel('Password of your account', { exact: true }).fill(person.password);
    await dialog.getByRole('button', { name: 'Update' }).click();
    await dialog.getByText(/^The password is changed/).waitFor();
    await dialog.waitFor({ state: 'detached' });

    const old = await enterStore(person.password);
    await old.getByText('Wrong username or password.').waitFor();
    await checkBothWidths(old);
    await old.close();
    const store = await enterStore(next);
    await heading(store, storeOf(person));
    expect(new URL(store.url()).host).toContain('.franchise360.localhost');
    await store.getByText('Start up · Expansion').waitFor();
    await store.getByText('Users extension').waitFor();
    await store.getByRole('link', { name: 'Add outlet' }).click();
    await store.getByLabel('Outlet name').fill('Asha Sweets Camp');
    await store.getByLabel('City').fill('Pune');
    await store.getByRole('button', { name: 'Add outlet' }).click();
    await store.getByText('The outlet was added.').waitFor();
    await store.getByRole('link', { name: 'Overview' }).click();
    await store.getByText('1 of 18 used').waitFor();
    await checkBothWidths(store);
    await store.emulateMedia({ colorScheme: 'dark' });
    await checkScreen(store);
    await page.goto('/dashboard');
    await card(page, 'Your plan').getByText('1 of 18 franchises used').waitFor();
  });
});

describe('a domain of one’s own', () => {
  it('is claimed, proven by the records that the dialog gives, used, and given up', async () => {
    await page.getByRole('button', { name: 'Change custom domain' }).click();
    await page.getByRole('textbox', { name: 'Custom domain' }).fill(`https://${domain}/`);
    await page.getByRole('button', { name: 'Update' }).click();
    const dialog = page.getByRole('dialog', { name: 'How to link your domain to IP' });
    await dialog.getByText('The TXT record was not found yet. DNS changes can take up to 48 hours.').waitFor();
    await checkBothWidths(page);
    const copied = async (what: string) => {
      await dialog.getByRole('button', { name: `Copy ${what}`, exact: true }).click();
      return page.evaluate(() => navigator.clipboard.readText());
    };
    await tellDns(await copied('name of the TXT record'), 'TXT', [await copied('value of the TXT record')]);
    await tellDns(await copied('name of the A record'), 'A', ['203.0.113.9', await copied('value of the A record')]);
    await dialog.getByRole('button', { name: 'Check again' }).click();
    await dialog.getByText('The domain is verified, but it also points elsewhere.').waitFor();
    await tellDns(domain, 'A', [await copied('value of the A record')]);
    await dialog.getByRole('button', { name: 'Check again' }).click();
    await dialog.getByText('Linked', { exact: true }).waitFor();
    await checkBothWidths(page);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await card(page, 'Settings').getByText('Linked', { exact: true }).waitFor();

    const store = await enterStore(person.password);
    await heading(store, storeOf(person));
    expect(new URL(store.url()).hostname).toBe(domain);
    await store.close();

    await page.getByRole('button', { name: 'How to link your domain to IP' }).click();
    await dialog.getByRole('button', { name: 'Remove domain' }).click();
    await checkBothWidths(page);
    await dialog.getByRole('button', { name: `Remove ${domain}` }).click();
    await dialog.getByRole('button', { name: 'Set custom domain' }).waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await card(page, 'Settings').getByText('No domain of your own yet').waitFor();
  });
});
