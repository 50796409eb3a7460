import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { STEP, totpCode } from './totp';

/** The demo staff of a development stack. */
export const staff = {
  support: { email: 'support@franchise360.example', key: 'KNKVAUCPKJKEGT2OKNKVAUCPKJKEGT2O' },
  admin: { email: 'admin@franchise360.example', key: 'IFCE2SKOIZJECTSDIFCE2SKOIZJECTSD' },
};

/** Signs staff in; a code that was used already is followed by the next one. */
export async function signInStaff(page: Page, { email, key }: { email: string; key: string }, next = '/support'): Promise<void> {
  await page.goto(`/support/login?next=${encodeURIComponent(next)}`);
  for (let tries = 0; tries < 3; tries += 1) {
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password', { exact: true }).fill('Franchise#360');
    await page.getByLabel('Authenticator code').fill(await totpCode(key));
    await page.getByRole('button', { name: 'Sign in' }).click();
    const refused = page.getByRole('alert').waitFor().then(() => true);
    const inside = page.waitForURL((url) => !url.pathname.endsWith('/login')).then(() => false);
    if (!(await Promise.race([refused, inside]))) return;
    await sleep((STEP + 1) * 1000);
  }
  expect.fail(`${email} could not sign in`);
}

/** Opens a customer from the search box by the keyboard alone. */
export async function findCustomer(page: Page, typed: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Find a customer' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type(typed);
  await page.getByRole('listbox', { name: 'Customers found' }).getByRole('option').first().waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/support\/(customers|mobiles)\//);
}

/** Gives the reason that the dialog asks for. */
export async function because(page: Page, reason: string): Promise<void> {
  await page.getByLabel('Reason', { exact: true }).waitFor();
  await page.keyboard.type(reason);
  await page.keyboard.press('Enter');
}
