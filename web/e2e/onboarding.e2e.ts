import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { inBrowser } from './support/browser';
import { devices } from './support/devices';
import { fillAddress, logIn, press, tabTo, typeFocused, typeInto } from './support/keyboard';
import { codeFor, newPerson, register } from './support/people';
import { at, checkScreen, heading } from './support/shop';

let page: Page;

describe.each(devices)('by keyboard alone on %s', (_device, width, dark) => {
  inBrowser({ width, dark }, (session) => (page = session.page));

  it('a person signs up, survives a reload at the code, and gives the address', async () => {
    const person = newPerson();
    await page.goto('/sign-up');
    await heading(page, 'Create your account');
    await checkScreen(page);
    await press(page, 'button', 'Sign up');
    await page.getByText('There is a problem').waitFor();
    await expect
      .poll(() => page.getByRole('alert').evaluate((summary) => summary === document.activeElement))
      .toBe(true);
    await checkScreen(page);

    await typeInto(page, 'Email', person.email);
    await typeInto(page, 'Password', person.password);
    await typeInto(page, 'Mobile number', `+91 ${person.mobile}`);
    await press(page, 'checkbox', /I agree/);
    await press(page, 'button', 'Sign up');
    await page.getByRole('dialog').waitFor();
    await checkScreen(page);

    await page.reload();
    await page.getByRole('dialog').waitFor();
    await typeInto(page, 'Verification code', '000000');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByText('There is a problem').waitFor();
    const code = await codeFor(person.mobile);
    const field = page.getByLabel('Verification code');
    await tabTo(page, field);
    await page.keyboard.press('Control+A');
    await page.keyboard.type(code);
    await page.keyboard.press('Enter');

    await at(page, '/store-details/address');
    await heading(page, 'Where is your business?');
    await checkScreen(page);
    await fillAddress(page);
    await press(page, 'button', 'Save and continue');
    await at(page, '/pricing');
  });

  it('a trial goes all the way to its welcome', async () => {
    const person = newPerson();
    await page.goto('/Start-Free-Trial/');
    await typeInto(page, 'Name', 'Asha');
    await typeInto(page, 'Email', person.email);
    await typeInto(page, 'Password', person.password);
    await typeInto(page, 'Mobile number', person.mobile);
    await press(page, 'checkbox', /I agree/);
    await press(page, 'button', 'Start free trial');
    await page.getByRole('dialog').waitFor();
    await typeFocused(page, page.getByLabel('Verification code'), await codeFor(person.mobile));
    await page.keyboard.press('Enter');
    await at(page, '/store-details/address');
    await fillAddress(page);
    await press(page, 'button', 'Save and continue');

    await at(page, '/store-details');
    await heading(page, 'Set up your store');
    await checkScreen(page);
    await typeInto(page, 'Store Name', 'Asha Sweets');
    await page.reload();
    await expect.poll(() => page.getByLabel('Store Name').inputValue()).toBe('Asha Sweets');
    await tabTo(page, page.getByRole('combobox', { name: /Store type/ }));
    await page.keyboard.press('Enter');
    await page.getByRole('option').first().waitFor();
    await checkScreen(page);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await typeInto(page, 'Store password', 'Mango#2026');
    await press(page, 'button', 'Next');

    await at(page, '/store-details/my-store');
    await heading(page, 'Welcome, Asha Sweets!');
    await page.getByText(/of 4 done/).waitFor();
    await checkScreen(page);
    await page.reload();
    await heading(page, 'Welcome, Asha Sweets!');
  });

  it('a forgotten password is reset, resent code included', async () => {
    const person = newPerson();
    await register(person);
    await page.goto('/login');
    await press(page, 'link', 'Forgot password?');
    await heading(page, 'Forgot your password?');
    await checkScreen(page);
    await typeInto(page, 'Mobile number', person.mobile);
    await page.keyboard.press('Enter');
    await at(page, '/forgot-password-otp');
    await codeFor(person.mobile, 2);
    await page.reload();
    await heading(page, 'Enter the code');
    await checkScreen(page);
    await typeInto(page, 'Verification code', await codeFor(person.mobile, 2));
    await page.keyboard.press('Enter');
    await at(page, '/reset-password');
    await heading(page, 'Choose a new password');
    await checkScreen(page);
    await typeInto(page, 'New password', 'Papaya#2027');
    await typeInto(page, 'Confirm password', 'Papaya#2027');
    await page.keyboard.press('Enter');
    await at(page, '/login');
    await logIn(page, { ...person, password: 'Papaya#2027' });
    await at(page, '/pricing');
  });
});
