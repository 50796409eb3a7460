import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { buyPlan, endPayment, enterAddress, openStore } from '../../scripts/walk.mjs';
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

export { endPayment, openStore };

/** Fills in the business address and saves it, unless another button does. */
export async function giveAddress(page: Page, save = true): Promise<void> {
  await enterAddress(page);
  if (save) await page.getByRole('button', { name: /^Save/ }).click();
}

/** Chooses a plan's first service on the pricing page and goes to its payment details. */
export async function choosePlan(page: Page, plan: string): Promise<void> {
  await page.goto('/pricing?billing=annual');
  await buyPlan(page, plan);
}
