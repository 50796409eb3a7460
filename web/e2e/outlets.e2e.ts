import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { signInAtStore } from '../scripts/walk.mjs';
import { inBrowser, widths } from './support/browser';
import { messagesTo, newPerson, type Person } from './support/people';
import { checkScreen, heading } from './support/shop';
import { newSubscriber, openDashboard } from './support/subscriber';

let page: Page;
let person: Person;

inBrowser({}, (session) => (page = session.page));
beforeEach(async () => {
  person = await newSubscriber('trial');
  await openDashboard(page, person);
});

/** Opens the store's own dashboard and signs its owner in. */
async function enterAsOwner(): Promise<Page> {
  const opened = page.context().waitForEvent('page');
  await page.getByRole('link', { name: /^Access Franchise Dashboard/ }).click();
  const store = await opened;
  await signInAtStore(store, person);
  return store;
}

/** Each screen holds on a phone and on a desktop, in light and dark. */
async function look(store: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await store.emulateMedia({ colorScheme });
    for (const width of [widths.phone, widths.desktop]) {
      await store.setViewportSize({ width, height: 800 });
      await checkScreen(store);
    }
  }
}

/** The text of the newest SMS that fits; the worker sends it in the background. */
async function textTo(mobile: string, fits: RegExp): Promise<string> {
  let found: string | undefined;
  await expect
    .poll(async () => (found = (await messagesTo(mobile)).map(({ body }) => body).find((body) => fits.test(body))), {
      timeout: 180_000,
    })
    .toMatch(fits);
  return fits.exec(found ?? '')?.[1] ?? '';
}

describe('a store’s own dashboard', () => {
  it('leads from nothing to an open shop with a partner, who sees one outlet and is put out', async () => {
    const store = await enterAsOwner();
    await store.getByRole('heading', { level: 2, name: 'First steps' }).waitFor();
    await look(store);
    await store.getByRole('link', { name: 'Outlets', exact: true }).click();
    await store.getByRole('heading', { level: 2, name: 'No outlets yet' }).waitFor();
    await look(store);

    const { mobile } = newPerson();
    await store.getByRole('link', { name: 'Partners', exact: true }).click();
    await store.getByRole('link', { name: 'Invite a partner' }).click();
    await store.getByLabel('Name', { exact: true }).fill('Ravi Kumar');
    await store.getByLabel('Mobile number').fill('12345');
    await store.getByLabel('Store password', { exact: true }).fill(person.password);
    await store.getByRole('button', { name: 'Send invitation' }).click();
    await store.getByRole('link', { name: /^Mobile number: Please enter/ }).waitFor();
    await look(store);
    await store.getByLabel('Mobile number').fill(mobile);
    await store.getByLabel('Store password', { exact: true }).fill(person.password);
    await store.getByRole('button', { name: 'Send invitation' }).click();
    await store.getByText('The invitation is on its way by SMS.').waitFor();
    await look(store);

    await store.goto(new URL('/dashboard/outlets/new', store.url()).href);
    await store.getByLabel('Outlet name').fill('Camp');
    await store.getByLabel('City').fill('Pune');
    await store.getByLabel(/^State/).selectOption({ label: 'Maharashtra' });
    await store.getByLabel(/^Pincode/).fill('560001');
    await store.getByLabel(/^Partner/).selectOption({ label: 'Ravi Kumar' });
    await store.getByRole('button', { name: 'Add outlet' }).click();
    await store.getByRole('link', { name: /is in a different State/ }).click();
    await look(store);
    await store.getByLabel(/^Pincode/).fill('411001');
    await store.getByRole('button', { name: 'Add outlet' }).click();
    await store.getByText('The outlet was added.').waitFor();
    await store.getByRole('button', { name: 'Open this outlet' }).click();
    await store.getByText('The status was changed.').waitFor();
    await look(store);

    const link = await textTo(mobile, /(https?:\/\/\S+\/i\/\S+)/);
    const theirs = await page.context().newPage();
    await theirs.goto(link);
    expect(new URL(theirs.url()).host).toBe(new URL(store.url()).host);
    await look(theirs);
    await theirs.getByRole('button', { name: 'Send me a code' }).click();
    await theirs.getByLabel('Code', { exact: true }).fill(await textTo(mobile, /^(\d{6}) is your/));
    await look(theirs);
    await theirs.getByRole('button', { name: 'Accept invitation' }).click();
    await heading(theirs, 'Your outlets');
    await look(theirs);
    await theirs.getByRole('link', { name: 'Camp' }).click();
    await theirs.getByLabel('Opening hours').fill('Mon–Sat 9:00–21:00');
    await theirs.getByRole('button', { name: 'Save' }).click();
    await theirs.getByText('Phone and hours were saved.').waitFor();
    await look(theirs);

    await store.goto(new URL('/dashboard/outlets?q=411001', store.url()).href);
    await store.getByText('1 outlet found.').waitFor();
    await look(store);
    await store.getByRole('link', { name: 'Camp' }).click();
    await store.getByText('Mon–Sat 9:00–21:00').waitFor();
    await store.getByText(/^Changed: hours/).waitFor();
    await store.getByRole('link', { name: 'Partners', exact: true }).click();
    await store.getByText('Remove Ravi Kumar', { exact: true }).click();
    await look(store);
    await store.getByRole('button', { name: 'Yes, remove Ravi Kumar' }).click();
    await store.getByText('The partner was removed and is signed out.').waitFor();
    await theirs.reload();
    await heading(theirs, 'Partner sign-in');
    await look(theirs);
    await store.getByRole('link', { name: 'Overview' }).click();
    await store.getByText('1 of 18 used').waitFor();
    await look(store);
  });
});
