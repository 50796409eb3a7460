import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openBrowser, widths, type Session } from './support/browser';
import { devices } from './support/devices';
import { logIn } from './support/keyboard';
import { advanceClock, messagesTo, newPerson, register, type Person } from './support/people';
import { at, checkScreen, heading } from './support/shop';

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

async function signIn(person: Person, path = '/login') {
  await page.goto(path);
  await page.getByLabel('Mobile number').fill(person.mobile);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Login' }).click();
}

/** Somebody with a plan and a store, of the stack's own data. */
const owner: Person = { mobile: '9000000001', email: '', password: 'Franchise#360' };

describe.each(devices)('by keyboard alone on %s, login leads', (_device, width, dark) => {
  beforeEach(() => open(width, dark));

  it.each([
    ['somebody without a plan to the prices', '/pricing', async () => registered(false)],
    ['a trial without a store to the store', '/store-details', async () => registered(true)],
    ['somebody with a plan and a store to the dashboard', '/dashboard', () => Promise.resolve(owner)],
  ])('%s', async (_who, path, someone) => {
    const person = await someone();
    await page.goto('/login');
    await heading(page, 'Welcome back');
    await checkScreen(page);
    await logIn(page, person);
    await at(page, path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await checkScreen(page);
  });
});

async function registered(trial: boolean): Promise<Person> {
  const person = newPerson();
  await register(person, trial);
  return person;
}

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
    await at(page, '/store-details');
    await page.context().clearCookies();
    await page.goto('/store-details/address');
    await at(page, '/login');
    expect(await page.getByRole('main').getByText('Unauthorized! Please login again.').isVisible()).toBe(true);
  });

  it('leads somebody with a plan and a store to the dashboard, or back to where they were', async () => {
    await signIn(owner);
    await at(page, '/dashboard');
    await page.context().clearCookies();
    await page.goto('/subscription_list?tab=payments');
    await at(page, '/login');
    await page.getByLabel('Mobile number').fill(owner.mobile);
    await page.getByLabel('Password', { exact: true }).fill(owner.password);
    await page.getByRole('button', { name: 'Login' }).click();
    await at(page, '/subscription_list');
    expect(new URL(page.url()).search).toBe('?tab=payments');
  });

  it('guards the onboarding screens', async () => {
    await page.goto('/store-details/address');
    await at(page, '/login');
    expect(new URL(page.url()).searchParams.get('return')).toBe('/store-details/address');
  });

  it('renews a session that ran out without a word', async () => {
    const person = newPerson();
    await register(person, true);
    await signIn(person);
    await at(page, '/store-details');
    await advanceClock(16 * 60);
    await page.goto('/store-details/address');
    await heading(page, 'Where is your business?');
    await page.getByLabel('Location').waitFor();
    expect(new URL(page.url()).pathname).toBe('/store-details/address');
  });

  it('outlives the browser only with "Remember me"', async () => {
    const person = newPerson();
    await register(person, true);
    await page.goto('/login');
    await page.getByLabel('Remember me').check();
    await signIn(person, '/login#again');
    await at(page, '/store-details');
    const kept = (await session.context.cookies()).filter((cookie) => cookie.expires > 0).map((cookie) => cookie.name);
    expect(kept).toContain('f360_refresh');
  });

  it('logs out everywhere in this browser', async () => {
    const person = newPerson();
    await register(person, true);
    await signIn(person);
    await at(page, '/store-details');
    const second = await session.context.newPage();
    await second.goto('/store-details/address');
    await second.getByLabel('Location').waitFor();
    await page.getByRole('button', { name: /Account menu/ }).click();
    await page.getByRole('button', { name: 'Logout' }).click();
    await at(page, '/login');
    await second.waitForURL((url) => url.pathname === '/login');
  });

  it('tells somebody who has an account already by SMS, not on the screen', async () => {
    const person = newPerson();
    await register(person);
    await advanceClock(61); // the next code to a mobile waits for a minute
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
