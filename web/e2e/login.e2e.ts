import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { inBrowser } from './support/browser';
import { devices } from './support/devices';
import { logIn, press, retype, typeInto } from './support/keyboard';
import { advanceClock, messagesTo, newPerson, register, type Person } from './support/people';
import { at, checkScreen, heading } from './support/shop';

let page: Page;
/** A user who never chose a plan, and a user on trial without a store. */
let visitor: Person;
let trial: Person;
/** A demo user of the stack, with a plan and a store. */
const owner: Person = { mobile: '9000000001', email: '', password: 'Mangoes#2027' };

beforeAll(async () => {
  visitor = newPerson();
  trial = newPerson();
  await Promise.all([register(visitor), register(trial, true)]);
});

/** Opens the login screen and logs in. */
async function signIn(person: Person): Promise<void> {
  await page.goto('/login');
  await logIn(page, person);
}

describe.each(devices)('by keyboard alone on %s', (_device, width, dark) => {
  inBrowser({ width, dark }, (session) => (page = session.page));

  it.each([
    ['somebody without a plan to the prices', '/pricing', () => visitor],
    ['a trial without a store to the store', '/store-details', () => trial],
    ['somebody with a plan and a store to the dashboard', '/dashboard', () => owner],
  ])('login leads %s', async (_who, path, person) => {
    await signIn(person());
    await at(page, path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await checkScreen(page);
  });

  it('says the same of a wrong password and of an unknown mobile, and keeps the mobile', async () => {
    await page.goto('/login');
    await heading(page, 'Welcome back');
    await checkScreen(page);
    await logIn(page, { ...visitor, password: 'Wrong#2026' });
    const known = await page.getByRole('alert').innerText();
    await expect.poll(() => page.getByLabel('Mobile number').inputValue()).toBe(visitor.mobile);
    await checkScreen(page);
    await signIn(newPerson());
    await expect.poll(() => page.getByRole('alert').innerText()).toBe(known);
  });

  it('leads back to the screen that was asked for, its tab included', async () => {
    await page.goto('/store-details/address');
    await at(page, '/login');
    expect(new URL(page.url()).searchParams.get('return')).toBe('/store-details/address');
    await logIn(page, owner);
    await at(page, '/store-details/address');
    await heading(page, 'Where is your business?');
    await page.context().clearCookies();
    await page.goto('/subscription_list?tab=payments');
    await at(page, '/login');
    await page.getByRole('main').getByText('Unauthorized! Please log in again.').waitFor();
    await checkScreen(page);
    await logIn(page, owner);
    await at(page, '/subscription_list');
    expect(new URL(page.url()).search).toBe('?tab=payments');
  });

  it('outlives the browser only with "Remember me", and is renewed without a word', async () => {
    const lasting = async () =>
      (await page.context().cookies()).filter(({ expires }) => expires > 0).map(({ name }) => name);
    await signIn(trial);
    await at(page, '/store-details');
    expect(await lasting()).not.toContain('f360_refresh');
    await page.context().clearCookies();
    await page.evaluate(() => localStorage.clear()); // by which the page would take itself for signed in
    await page.goto('/login');
    await retype(page, 'Mobile number', trial.mobile);
    await retype(page, 'Password', trial.password);
    await press(page, 'checkbox', 'Remember me');
    await press(page, 'button', 'Login');
    await at(page, '/store-details');
    expect(await lasting()).toContain('f360_refresh');
    await advanceClock(16 * 60);
    await page.goto('/store-details/address');
    await heading(page, 'Where is your business?');
    await page.getByLabel('Location').waitFor();
    expect(new URL(page.url()).pathname).toBe('/store-details/address');
  });

  it('logs out everywhere in this browser', async () => {
    await signIn(trial);
    await at(page, '/store-details');
    const second = await page.context().newPage();
    await second.goto('/store-details/address');
    await second.getByLabel('Location').waitFor();
    await page.bringToFront();
    await press(page, 'button', /Account menu/);
    await checkScreen(page);
    await press(page, 'button', 'Logout');
    await at(page, '/login');
    await second.waitForURL((url) => url.pathname === '/login');
  });

  it('tells somebody who has an account already by SMS, not on the screen', async () => {
    await advanceClock(61); // the next code to a mobile can be requested after a minute
    const before = (await messagesTo(visitor.mobile)).length;
    await page.goto('/sign-up');
    await typeInto(page, 'Email', visitor.email);
    await typeInto(page, 'Password', visitor.password);
    await typeInto(page, 'Mobile number', visitor.mobile);
    await press(page, 'checkbox', /I agree/);
    await press(page, 'button', 'Sign up');
    await page.getByRole('dialog').waitFor();
    await checkScreen(page);
    await expect.poll(async () => (await messagesTo(visitor.mobile)).length, { timeout: 180_000 }).toBe(before + 1);
    expect((await messagesTo(visitor.mobile))[0]?.body).toMatch(/already have .*account/i);
  });
});
