import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** Nothing on a screen lies further away than this. */
const MAX_TABS = 80;

/** Presses Tab until the control has the focus, as somebody without a pointer does. */
export async function tabTo(page: Page, control: Locator): Promise<void> {
  await control.waitFor();
  for (let presses = 0; presses < MAX_TABS; presses += 1) {
    if (await control.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  expect.fail(`${String(control)} cannot be reached by Tab`);
}

/** Reaches a field by Tab and types into it. */
export async function typeInto(page: Page, label: string, value: string): Promise<void> {
  await tabTo(page, page.getByLabel(label, { exact: true }));
  await page.keyboard.type(value);
}

/** Reaches a button or checkbox by Tab and presses it. */
export async function press(page: Page, role: 'button' | 'checkbox' | 'link', name: string | RegExp): Promise<void> {
  await tabTo(page, page.getByRole(role, { name, exact: typeof name === 'string' }));
  await page.keyboard.press(role === 'checkbox' ? 'Space' : 'Enter');
}
