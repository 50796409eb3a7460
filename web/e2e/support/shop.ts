import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { accessibilityFaults, fitsWidth } from './browser';
import type { Person } from './people';

/** What every screen of a flow must satisfy. */
export async function checkScreen(page: Page): Promise<void> {
  expect(await accessibilityFaults(page)).toEqual([]);
  expect(await fitsWidth(page)).toBe(true);
}

export const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();
export const at = (page: Page, path: string | RegExp) =>
  page.waitForURL((url) => (typeof path === 'string' ? url.pathname === path : path.test(url.pathname)));

/** Signs in through the login screen, whatever screen follows. */
export async function signIn(page: Page, person: Person): Promise<void> {
  if (!page.url().includes('/login')) await page.goto('/login');
  await page.getByLabel('Mobile number').fill(person.mobile);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Login' }).click();
  await page.waitForURL((url) => url.pathname !== '/login');
}

/** Fills in the business address from a PIN code and saves it, unless another button does. */
export async function giveAddress(page: Page, save = true): Promise<void> {
  await page.getByLabel('Location').fill('411001');
  await page.getByLabel('Location').press('Enter');
  await page.getByRole('option').first().click();
  await expect.poll(() => page.getByLabel('Pincode').inputValue()).toBe('411001');
  await page.getByLabel('House number and floor').fill('12/4, Second floor');
  await page.getByLabel('Name for the invoice').fill('Asha Sweets');
  if (save) await page.getByRole('button', { name: /^Save/ }).click();
}

/** The outcomes of a payment, by the name of the button on the gateway's page. */
export type Ending = 'Pay' | 'Fail' | 'Leave pending' | 'Charge a wrong amount';

/** Completes a payment on the gateway's own page, which sends the browser back. */
export async function endPayment(page: Page, ending: Ending): Promise<void> {
  await page.getByRole('heading', { name: 'Complete your payment' }).waitFor();
  await page.getByRole('button', { name: ending === 'Pay' ? /^Pay ₹/ : ending, exact: true }).click();
  await page.waitForURL(/\/checkout\/result\//);
}

/** Chooses a plan's first service on the pricing page and goes to its payment details. */
export async function choosePlan(page: Page, plan: string): Promise<void> {
  await page.goto('/pricing?billing=annual');
  await page.getByRole('link', { name: `Buy ${plan}, annual` }).click();
  await heading(page, 'Choose Your Plan');
}

/** Fills in the store's details, up to the welcome page. */
export async function openStore(page: Page, name: string): Promise<void> {
  await page.getByLabel('Store Name').fill(name);
  await page.getByRole('combobox', { name: /Store type/ }).click();
  await page.getByRole('option').first().click();
  await page.getByLabel('Store password', { exact: true }).fill('Mango#2026');
  await page.getByRole('button', { name: 'Next' }).click();
  await at(page, '/store-details/my-store');
}
