import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accessibilityFaults, fitsWidth, openBrowser, widths, type Session } from './support/browser';
import { press, tabTo, typeInto } from './support/keyboard';
import { advanceClock, codeFor, messagesTo, newPerson, register, type Person } from './support/people';

let session: Session;
let page: Page;

async function open(width: number, dark = false) {
  session = await openBrowser({ width, dark });
  page = session.page;
}

afterEach(async () => {
  await session.close();
  expect(session.faults).toEqual([]);
});

/** What must hold of every screen on the way. */
async function checkScreen() {
  expect(await accessibilityFaults(page)).toEqual([]);
  expect(await fitsWidth(page)).toBe(true);
}

const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();
const at = (path: string | RegExp) => page.waitForURL((url) => (typeof path === 'string' ? url.pathname === path : path.test(url.pathname)));

async function signIn(person: Person, path = '/login') {
  await page.goto(path);
  await page.getByLabel('Mobile number').fill(person.mobile);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Login' }).click();
}

async function fillAddress() {
  await typeInto(page, 'Location', '411001');
  await page.keyboard.press('Enter');
  await page.getByRole('option').first().waitFor();
  await page.keyboard.press('ArrowDown');
  await checkScreen();
  await page.keyboard.press('Enter');
  await expect.poll(() => page.getByLabel('Pincode').inputValue()).toBe('411001');
  await typeInto(page, 'House number and floor', '12/4, Second floor');
  await typeInto(page, 'Building and block', 'Sunrise Towers');
  await typeInto(page, 'Landmark', 'Opp. City Mall');
}

describe.each([
  ['a phone', widths.phone, false],
  ['a desktop, dark', widths.desktop, true],
])('by keyboard alone on %s', (_device, width, dark) => {
  beforeEach(() => open(width, dark));

  it('a person signs up, survives a reload at the code, and gives the address', async () => {
    const person = newPerson();
    await page.goto('/sign-up');
    await heading('Create your account');
    await checkScreen();
    await press(page, 'button', 'Sign up');
    await page.getByText('There is a problem').waitFor();
    await expect.poll(() => page.getByRole('alert').evaluate((summary) => summary === document.activeElement)).toBe(true);
    await checkScreen();

    await typeInto(page, 'Email', person.email);
    await typeInto(page, 'Password', person.password);
    await typeInto(page, 'Mobile number', `+91 ${person.mobile}`);
    await press(page, 'checkbox', /I agree/);
    await press(page, 'button', 'Sign up');
    await page.getByRole('dialog').waitFor();
    await checkScreen();

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

    await at('/store-details/address');
    await heading('Where is your business?');
    await checkScreen();
    await fillAddress();
    await press(page, 'button', 'Save and continue');
    await at('/pricing');
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
    await page.keyboard.type(await codeFor(person.mobile));
    await page.keyboard.press('Enter');
    await at('/store-details/address');
    await fillAddress();
    await press(page, 'button', 'Save and continue');

    await at('/store-details');
    await heading('Set up your store');
    await checkScreen();
    await typeInto(page, 'Store Name', 'Asha Sweets');
    await page.reload();
    expect(await page.getByLabel('Store Name').inputValue()).toBe('Asha Sweets');
    await tabTo(page, page.getByRole('combobox', { name: /Store type/ }));
    await page.keyboard.press('Enter');
    await page.getByRole('option').first().waitFor();
    await checkScreen();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await typeInto(page, 'Store password', 'Mango#2026');
    await press(page, 'button', 'Next');

    await at('/store-details/my-store');
    await heading('Welcome, Asha Sweets!');
    await page.getByText(/of 4 done/).waitFor();
    await checkScreen();
    await page.reload();
    await heading('Welcome, Asha Sweets!');
  });

  it('a forgotten password is set anew, resent code included', async () => {
    const person = newPerson();
    await register(person);
    await page.goto('/login');
    await press(page, 'link', 'Forgot password?');
    await heading('Forgot your password?');
    await checkScreen();
    await typeInto(page, 'Mobile number', person.mobile);
    await page.keyboard.press('Enter');
    await at('/forgot-password-otp');
    await codeFor(person.mobile, 2);
    await page.reload();
    await heading('Enter the code');
    await checkScreen();
    await typeInto(page, 'Verification code', await codeFor(person.mobile, 2));
    await page.keyboard.press('Enter');
    await at('/reset-password');
    await page.reload();
    await heading('Choose a new password');
    await checkScreen();
    await typeInto(page, 'New password', 'Papaya#2027');
    await typeInto(page, 'Confirm password', 'Papaya#2027');
    await page.keyboard.press('Enter');
    await at('/login');
    await signIn({ ...person, password: 'Papaya#2027' });
    await at('/pricing');
  });
});

describe('login', () => {
  beforeEach(() => open(widths.desktop));

  it('says the same of a wrong password and of an unknown mobile, and keeps the mobile', async () => {
    const person = newPerson();
    await register(person);
    await signIn({ ...person, password: 'Wrong#2026' });
    const known = await page.getByRole('alert').innerText();
    expect(await page.getByLabel('Mobile number').inputValue()).toBe(person.mobile);
    await signIn(newPerson());
    expect(await page.getByRole('alert').innerText()).toBe(known);
  });

  it('leads a trial without a store to its store, and back to a screen asked for', async () => {
    const person = newPerson();
    await register(person, true);
    await signIn(person);
    await at('/store-details');
    await page.context().clearCookies();
    await page.goto('/store-details/address');
    await at('/login');
    expect(await page.getByRole('main').getByText('Unauthorized! Please login again.').isVisible()).toBe(true);
  });

  it('leads somebody with a plan and a store to the dashboard, or back to where they were', async () => {
    const owner = { mobile: '9000000001', email: '', password: 'Franchise#360' };
    await signIn(owner);
    await at('/dashboard');
    await page.context().clearCookies();
    await page.goto('/subscription_list?tab=payments');
    await at('/login');
    await page.getByLabel('Mobile number').fill(owner.mobile);
    await page.getByLabel('Password', { exact: true }).fill(owner.password);
    await page.getByRole('button', { name: 'Login' }).click();
    await at('/subscription_list');
    expect(new URL(page.url()).search).toBe('?tab=payments');
  });

  it('guards the onboarding screens', async () => {
    await page.goto('/store-details/address');
    await at('/login');
    expect(new URL(page.url()).searchParams.get('return')).toBe('/store-details/address');
  });

  it('renews a session that ran out without a word', async () => {
    const person = newPerson();
    await register(person, true);
    await signIn(person);
    await at('/store-details');
    await advanceClock(16 * 60);
    await page.goto('/store-details/address');
    await heading('Where is your business?');
    await page.getByLabel('Location').waitFor();
    expect(new URL(page.url()).pathname).toBe('/store-details/address');
  });

  it('outlives the browser only with "Remember me"', async () => {
    const person = newPerson();
    await register(person, true);
    await page.goto('/login');
    await page.getByLabel('Remember me').check();
    await signIn(person, '/login#again');
    await at('/store-details');
    const kept = (await session.context.cookies()).filter((cookie) => cookie.expires > 0).map((cookie) => cookie.name);
    expect(kept).toContain('f360_refresh');
  });

  it('logs out everywhere in this browser', async () => {
    const person = newPerson();
    await register(person, true);
    await signIn(person);
    await at('/store-details');
    const second = await session.context.newPage();
    await second.goto('/store-details/address');
    await second.getByLabel('Location').waitFor();
    await page.getByRole('button', { name: /Account menu/ }).click();
    await page.getByRole('button', { name: 'Logout' }).click();
    await at('/login');
    await second.waitForURL((url) => url.pathname === '/login');
  });

  it('tells somebody who has an account already by SMS, not on the screen', async () => {
    const person = newPerson();
    await register(person);
    await page.goto('/sign-up');
    await page.getByLabel('Email').fill(person.email);
    await page.getByLabel('Password', { exact: true }).fill(person.password);
    await page.getByLabel('Mobile number').fill(person.mobile);
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Sign up' }).click();
    await page.getByRole('dialog').waitFor();
    await expect.poll(async () => (await messagesTo(person.mobile))[0]?.body, { timeout: 10_000 }).toMatch(/already have .*account/i);
  });
});

describe('the payment preference', () => {
  beforeEach(() => open(widths.phone));

  it('sends nothing and forgets what was typed', async () => {
    const calls: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/api/')) calls.push(request.url());
    });
    await page.goto('/payment');
    await heading('How would you like to pay?');
    await checkScreen();
    await typeInto(page, 'Card number', '4111111111111111');
    await typeInto(page, 'Expiry date', '1240');
    await typeInto(page, 'CVV', '123');
    await typeInto(page, 'Name on card', 'Asha Kulkarni');
    await page.keyboard.press('Enter');
    await at('/pricing');
    await page.goBack();
    expect(await page.getByLabel('Card number').inputValue()).toBe('');
    expect(calls.filter((url) => !url.includes('subscription-plan'))).toEqual([]);
    expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toMatch(/4111|Kulkarni/);
  });
});
