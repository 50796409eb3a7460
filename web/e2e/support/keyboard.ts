import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** The largest number of Tab presses to any control of a screen. */
const MAX_TABS = 120;

/** True if an open dialog keeps the focus from the control; it closes when its request is answered. */
const isBehindDialog = (control: Locator) =>
  control.evaluate((element) => {
    const dialogs = [...document.querySelectorAll('[aria-modal="true"]')];
    return dialogs.length > 0 && !dialogs.some((dialog) => dialog.contains(element));
  });

/** Presses Tab until the control is focused, as a keyboard user does. */
export async function tabTo(page: Page, control: Locator): Promise<void> {
  await control.waitFor();
  await expect.poll(() => isBehindDialog(control)).toBe(false);
  for (let presses = 0; presses < MAX_TABS; presses += 1) {
    if (await control.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  expect.fail(`${String(control)} cannot be reached by Tab`);
}

/**
 * Types into a field after it gets the focus automatically. The focus comes after the field is visible, and earlier typing would be lost.
 */
export async function typeFocused(page: Page, field: Locator, text: string): Promise<void> {
  await field.and(page.locator(':focus')).waitFor();
  await page.keyboard.type(text);
}

/** Reaches a field by Tab and types into it. */
export async function typeInto(page: Page, label: string | RegExp, value: string): Promise<void> {
  await tabTo(page, page.getByLabel(label, { exact: true }));
  await page.keyboard.type(value);
}

/** Reaches a button or checkbox by Tab and presses it. */
export async function press(page: Page, role: 'button' | 'checkbox' | 'link', name: string | RegExp): Promise<void> {
  await tabTo(page, page.getByRole(role, { name, exact: typeof name === 'string' }));
  await page.keyboard.press(role === 'checkbox' ? 'Space' : 'Enter');
}

/** Reaches a field by Tab and replaces its value. */
export async function retype(page: Page, label: string, value: string): Promise<void> {
  await tabTo(page, page.getByLabel(label, { exact: true }));
  await page.keyboard.press('Control+A');
  await page.keyboard.type(value);
}

/** Logs in by keyboard on the login screen, which must be open. */
export async function logIn(page: Page, { mobile, password }: { mobile: string; password: string }): Promise<void> {
  await retype(page, 'Mobile number', mobile);
  await retype(page, 'Password', password);
  await page.keyboard.press('Enter');
}

/** Fills in the business address from a PIN code, by keyboard alone, without saving it. */
export async function fillAddress(page: Page): Promise<void> {
  await typeInto(page, 'Location', '411001');
  await page.keyboard.press('Enter');
  await page.getByRole('option').first().waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.getByLabel('Pincode').inputValue()).toBe('411001');
  await typeInto(page, 'House number and floor', '12/4, Second floor');
  await typeInto(page, /^Name for the invoice/, 'Asha Sweets');
}
