import { setTimeout as sleep } from 'node:timers/promises';
import type { Cookie, Page } from 'playwright-core';
import { expect } from 'vitest';
import { retype, tabTo } from './keyboard';
import { STEP, unusedCode } from './totp';

/** The demo staff of a development stack. */
export const staff = {
  support: { email: 'support@franchise360.example', key: 'KNKVAUCPKJKEGT2OKNKVAUCPKJKEGT2O' },
  admin: { email: 'admin@franchise360.example', key: 'IFCE2SKOIZJECTSDIFCE2SKOIZJECTSD' },
  secondAdmin: { email: 'admin2@franchise360.example', key: 'NNUVEQKENVUW4ZLTNNUVEQKENVUW4ZLT' },
};

/** The sessions of staff who signed in before: they last a working day, and a code works only once. */
const sessions = new Map<string, Cookie[]>();

/** Opens a page of the console as staff: with the session of an earlier test, or signed in with an unused code. */
export async function signInStaff(
  page: Page,
  { email, key }: { email: string; key: string },
  next = '/support',
): Promise<void> {
  await page.context().addCookies(sessions.get(email) ?? []);
  await page.goto(next);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  if (!page.url().includes('/support/login')) return;
  for (let tries = 0; tries < 3; tries += 1) {
    await retype(page, 'E-mail', email);
    await retype(page, 'Password', 'Mangoes#2027');
    await retype(page, 'Authenticator code', await unusedCode(key));
    await page.keyboard.press('Enter');
    const refused = page
      .getByRole('alert')
      .waitFor()
      .then(() => true);
    const inside = page.waitForURL((url) => !url.pathname.endsWith('/login')).then(() => false);
    if (!(await Promise.race([refused, inside]))) {
      sessions.set(email, await page.context().cookies());
      return;
    }
    await sleep((STEP + 1) * 1000);
  }
  expect.fail(`${email} could not sign in`);
}

async function focusPalette(page: Page): Promise<void> {
  // A dialog traps the focus until it is closed.
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  const box = page.getByRole('combobox', { name: 'Search or jump to' });
  await box.waitFor();
  await expect
    .poll(async () => {
      await page.keyboard.press('Control+k');
      return box.evaluate((element) => element === document.activeElement);
    })
    .toBe(true);
}

/** Opens a customer from the search box by keyboard alone. */
export async function findCustomer(page: Page, typed: string): Promise<void> {
  await focusPalette(page);
  await page.keyboard.type(typed);
  await page.getByRole('listbox', { name: 'Found' }).getByRole('option').first().waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/support\/(customers|mobiles)\//);
}

/** Enters the reason that the dialog requires. */
export async function because(page: Page, reason: string): Promise<void> {
  const field = page.getByLabel('Reason', { exact: true });
  // The dialog takes the focus shortly after it is visible; earlier typing would be lost.
  await field.and(page.locator(':focus')).waitFor();
  await page.keyboard.type(reason);
  await page.keyboard.press('Enter');
}

/** Enters the reason, the password and an unused code, which a dialog requires for what outlives the session. */
export async function becauseProved(page: Page, reason: string, { key }: { key: string }): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason', { exact: true }).fill(reason);
  await dialog.getByLabel('Current password', { exact: true }).fill('Mangoes#2027');
  await dialog.getByLabel('Current code of your authenticator app').fill(await unusedCode(key));
  await page.keyboard.press('Enter');
}

/** Filters the customer's timeline by kind and opens its newest entry with that title by keyboard; returns its id. */
export async function openEntry(page: Page, kind: string, title: string | RegExp): Promise<string> {
  const show = page.getByLabel('Show', { exact: true });
  await tabTo(page, show);
  const shown = () => show.evaluate((select: HTMLSelectElement) => select.selectedOptions[0]?.label);
  for (let before = await shown(); before !== kind; before = await shown()) {
    await page.keyboard.press('ArrowDown');
    // The filter is in the URL, which changes a moment later: a key pressed before that would move too far.
    await expect.poll(shown, { message: `there is no ${kind} below ${before}` }).not.toBe(before);
  }
  const list = page.getByRole('list', { name: 'Timeline' });
  // The previous entries are replaced only once the new ones have loaded, and the focus moves with them.
  await expect.poll(() => list.locator('.entry-kind').filter({ hasNotText: kind }).count()).toBe(0);
  const entry = list.locator('.entry', { has: page.locator('[data-entry]', { hasText: title }) }).first();
  const id = (await entry.getAttribute('id')) ?? '';
  await tabTo(page, page.locator(`[id="${id}"] > details > [data-entry]`));
  await page.keyboard.press('Enter');
  return id;
}

/** Begins an act of the open timeline entry by keyboard; the lists of payments and documents have the same acts. */
export async function actOnEntry(page: Page, name: string): Promise<void> {
  await tabTo(page, page.locator('.entry:has(details[open])').getByRole('button', { name, exact: true }));
  await page.keyboard.press('Enter');
}

/** Checks the actor of the open entry and returns its request id. */
export async function openedRequest(page: Page, actor: string): Promise<string> {
  const entry = page.locator('.entry:has(details[open])').first();
  await entry.getByRole('button', { name: 'Copy request id' }).waitFor();
  expect((await entry.locator('.entry-actor').innerText()).trim()).toBe(actor);
  const text = await entry
    .getByRole('term')
    .filter({ hasText: /^Request id$/ })
    .locator('xpath=following-sibling::dd')
    .innerText();
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/.exec(text)?.[0] ?? expect.fail(`no request in ${text}`);
}

/** Types into the palette and opens its line with that name, by keyboard alone. */
async function choose(page: Page, name: string): Promise<void> {
  await focusPalette(page);
  await page.keyboard.type(name);
  const first = page.getByRole('listbox', { name: 'Found' }).getByRole('option').first();
  await first.filter({ hasText: name }).waitFor();
  await page.keyboard.press('Enter');
}

/** Opens a page of the console by the palette. */
export async function openPlace(page: Page, name: string): Promise<void> {
  await choose(page, name);
  await page.getByRole('heading', { level: 1, name }).waitFor();
}

/** Begins an act of the open page by the palette. */
export async function beginAct(page: Page, name: string): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await choose(page, name);
  await page.getByRole('dialog').waitFor();
}
