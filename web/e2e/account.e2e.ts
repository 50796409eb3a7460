import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { inBrowser } from './support/browser';
import { devices } from './support/devices';
import { logIn, press, typeFocused, typeInto } from './support/keyboard';
import { advanceClock, codeFor, messagesTo, newPerson, register, type Person } from './support/people';
import { at, checkScreen, heading } from './support/shop';
import { STEP, totpCode } from './support/totp';

let page: Page;
let person: Person;

/** Logs a new user in and opens the security page. */
async function openSecurity() {
  person = newPerson();
  await register(person, true);
  await page.goto('/login');
  await logIn(page, person);
  await at(page, '/store-details');
  await page.goto('/account/security');
  await page.getByRole('heading', { name: 'Erase your account' }).waitFor();
}

const dialog = (name: string) => page.getByRole('dialog', { name });
const gone = () => page.getByRole('dialog').waitFor({ state: 'detached' });

async function logOut() {
  await press(page, 'button', /Account menu/);
  await press(page, 'button', 'Logout');
  await at(page, '/login');
}

describe.each(devices)('the security page by keyboard alone on %s', (_device, width, dark) => {
  inBrowser({ width, dark }, (session) => (page = session.page));
  beforeEach(openSecurity);

  it('takes an authenticator app, which the next login asks for', async () => {
    await heading(page, 'Security');
    await checkScreen(page);
    const current = page.getByRole('navigation', { name: 'Your account' }).getByRole('link', { name: 'Account' });
    expect(await current.evaluate((link) => link.getBoundingClientRect().right <= innerWidth)).toBe(true);
    await press(page, 'button', 'Set up the authenticator app');
    await dialog('Set up your authenticator app').waitFor();
    await typeInto(page, 'Password', person.password);
    await page.keyboard.press('Enter');
    await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor();
    await checkScreen(page);
    const secret = (await page.locator('.totp-key code').innerText()).replaceAll(' ', '');
    await typeFocused(page, page.getByRole('dialog').getByRole('textbox'), await totpCode(secret));
    await page.keyboard.press('Enter');
    const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
    await codes.first().waitFor();
    await expect.poll(() => codes.count()).toBe(10);
    const recovery = await codes.first().innerText();
    await checkScreen(page);
    await press(page, 'button', 'I have kept them');
    await gone();
    await page.getByText('On', { exact: true }).waitFor();
    await logOut();

    await logIn(page, person);
    await heading(page, 'Enter your authenticator code');
    await checkScreen(page);
    await typeInto(page, 'Code', '000000');
    await page.keyboard.press('Enter');
    await page.getByText('There is a problem').waitFor();
    await advanceClock(STEP); // the code that switched the app on is used up
    await page.getByLabel('Code', { exact: true }).focus();
    await page.keyboard.press('Control+A');
    await page.keyboard.type(await totpCode(secret));
    await page.keyboard.press('Enter');
    await at(page, '/store-details');

    await page.goto('/account/security');
    await press(page, 'button', 'Switch off the authenticator app');
    await dialog('Switch off the authenticator app').waitFor();
    await typeInto(page, 'Password', person.password);
    await typeInto(page, 'Code', recovery.toLowerCase());
    await page.keyboard.press('Enter');
    await gone();
    await page.getByText('Off', { exact: true }).waitFor();
  });

  it('moves the account to another mobile and e-mail by codes', async () => {
    const next = newPerson();
    await press(page, 'button', 'Change mobile number');
    await dialog('Change your mobile number').waitFor();
    await checkScreen(page);
    await typeInto(page, 'New mobile number', next.mobile);
    await typeInto(page, 'Password', person.password);
    await page.keyboard.press('Enter');
    await page.getByLabel('Verification code').waitFor();
    await checkScreen(page);
    await typeFocused(page, page.getByLabel('Verification code'), await codeFor(next.mobile));
    await page.keyboard.press('Enter');
    await gone();
    await page.getByText(`+91 ${next.mobile.slice(0, 5)} ${next.mobile.slice(5)}`).waitFor();
    await expect
      .poll(async () => (await messagesTo(person.mobile))[0]?.body, { timeout: 180_000 })
      .toMatch(/was changed/);

    await press(page, 'button', 'Change email');
    await dialog('Change your e-mail').waitFor();
    await typeInto(page, 'New e-mail', next.email);
    await typeInto(page, 'Password', person.password);
    await page.keyboard.press('Enter');
    await typeFocused(page, page.getByLabel('Verification code'), await codeFor(next.mobile, 2));
    await page.keyboard.press('Enter');
    await gone();
    await page.getByText(next.email).waitFor();
    await checkScreen(page);

    await logOut();
    await logIn(page, { mobile: next.mobile, password: person.password });
    await at(page, '/store-details');
  });

  it('gives the data as a file, and erases the account unless that is taken back', async () => {
    await press(page, 'button', 'Download your data');
    await dialog('Download your data').waitFor();
    await typeInto(page, 'Password', person.password);
    const download = page.waitForEvent('download');
    await page.keyboard.press('Enter');
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^franchise360-data-\d{4}-\d\d-\d\d\.json$/);
    const kept = JSON.parse(await readFile(await file.path(), 'utf8')) as { sections: Record<string, unknown> };
    expect(kept.sections.profile).toMatchObject({ mobile: person.mobile, email: person.email });
    await page.getByText(file.suggestedFilename()).waitFor();
    await checkScreen(page);
    await press(page, 'button', 'Done');
    await gone();

    await press(page, 'button', 'Erase your account');
    await dialog('Erase your account').waitFor();
    await page.getByText(/Tax invoices, credit notes/).waitFor();
    await page.keyboard.press('Tab');
    await press(page, 'button', 'Erase my account');
    await page.getByText('There is a problem').waitFor();
    await checkScreen(page);
    await press(page, 'checkbox', /I understand/);
    await typeInto(page, 'Password', person.password);
    await page.keyboard.press('Enter');
    await gone();
    await page
      .getByRole('paragraph')
      .filter({ hasText: /Your account will be erased on/ })
      .waitFor();
    await checkScreen(page);
    await press(page, 'button', 'Keep my account');
    await page.getByRole('button', { name: 'Erase your account' }).waitFor();
  });
});
