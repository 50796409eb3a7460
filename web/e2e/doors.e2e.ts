import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { inBrowser, takenOver } from './support/browser';
import { newCustomer } from './support/customer';
import { devices } from './support/devices';
import { codeFor, newPerson } from './support/people';
import { at, checkScreen, choosePlan, endPayment, giveAddress, heading } from './support/shop';

let page: Page;

const choice = () => page.getByRole('region', { name: 'Your choice' });

describe.each(devices)('the buying door on %s', (_device, width, dark) => {
  inBrowser({ width, dark }, (session) => (page = session.page));

  it('makes the account and takes the payment, with the choice always in view', async () => {
    const person = newPerson();
    await choosePlan(page, 'Growth');
    await choice().getByText('₹1,91,160').first().waitFor();
    await page.getByRole('button', { name: 'Secure Payment' }).click();
    await heading(page, 'Your account');
    await choice().getByText('Growth · Expansion, yearly').first().waitFor();
    await choice().getByText('₹1,91,160').first().waitFor();
    await expect
      .poll(() => choice().getByRole('link', { name: 'Change your choice' }).getAttribute('href'))
      .toMatch(/^\/plan\//);
    await expect.poll(() => page.getByLabel('Password', { exact: true }).count()).toBe(1);
    await checkScreen(page);

    await page.getByRole('button', { name: 'I have an account' }).click();
    await page.getByRole('button', { name: 'Login' }).waitFor();
    await checkScreen(page);
    await page.getByRole('button', { name: 'Create account' }).click();

    await page.getByLabel('Email').fill(person.email);
    await page.getByLabel('Password', { exact: true }).fill(person.password);
    await page.getByLabel('Mobile number').fill(person.mobile);
    await page.getByRole('checkbox', { name: /I agree/ }).check();
    await page.getByRole('button', { name: 'Create account' }).last().click();
    const code = page.getByLabel('Verification code');
    await code.waitFor();
    await expect.poll(() => code.getAttribute('autocomplete')).toBe('one-time-code');
    await code.fill(await codeFor(person.mobile));
    await page.keyboard.press('Enter');

    await heading(page, 'Billing and payment');
    await page.getByText('Claim ₹29,160 as input tax credit').waitFor();
    await checkScreen(page);
    await giveAddress(page, false);
    const billed = page.getByRole('region', { name: 'Billed to' });
    await billed.getByText('Asha Sweets').waitFor();
    await billed.getByText('Pune, Maharashtra 411001').waitFor();
    await page.getByLabel('Pincode').fill('560001');
    await page.getByRole('button', { name: 'Pay ₹1,91,160' }).click();
    await page.getByRole('link', { name: /different State/ }).waitFor();
    await checkScreen(page);
    await page.getByLabel('Pincode').fill('411001');
    await page.getByRole('button', { name: 'Pay ₹1,91,160' }).click();
    await endPayment(page, 'Pay');
    await heading(page, /^Congratulations/);
    await checkScreen(page);
  });

  it('lets in whom it knows, and shows whom it bills before paying', async () => {
    const person = newPerson();
    const [customer, context] = await newCustomer(person);
    void customer;
    await context.dispose();
    await choosePlan(page, 'Start up');
    await page.getByRole('button', { name: 'View Details' }).click();
    await heading(page, 'Your account');
    await page.getByRole('button', { name: 'I have an account' }).click();
    await page.getByLabel('Mobile number').fill(person.mobile);
    await page.getByLabel('Password', { exact: true }).fill('Wrong#2026');
    await page.getByRole('button', { name: 'Login' }).click();
    await page.getByText('There is a problem').waitFor();
    await expect.poll(() => page.locator('.toast-item').count()).toBe(0);
    await page.getByLabel('Password', { exact: true }).fill(person.password);
    await page.getByRole('button', { name: 'Login' }).click();
    await heading(page, 'Billing and payment');
    await giveAddress(page, false);
    await page.getByRole('button', { name: 'Pay ₹1,59,300' }).click();
    await page.getByRole('heading', { name: 'Complete your payment' }).waitFor();
    await page.goBack();
    await heading(page, 'Your payment is not finished');
    await page.getByRole('link', { name: 'Change the order' }).click();
    await heading(page, 'Billing and payment');
    await page.getByRole('region', { name: 'Billed to' }).getByText('Asha Sweets').waitFor();
    await page.getByRole('button', { name: 'Pay ₹1,59,300' }).waitFor();
    // After a reload, the page has loaded no other screen's style sheet.
    await page.reload();
    const way = page.getByRole('group', { name: 'How would you like to pay?' }).locator('label').first();
    await expect.poll(() => way.evaluate((label) => getComputedStyle(label).display)).toBe('flex');
    await checkScreen(page);
  });

  it.each([
    ['/', 'Digital Franchise System'],
    ['/pricing', 'Plans and Pricing'],
    ['/sign-up', 'Create your account'],
  ])('leads from %s to the trial', async (path, name) => {
    await page.goto(path);
    await heading(page, name);
    await takenOver(page);
    await page
      .getByRole('main')
      .getByRole('link', { name: /free trial|14 days free/ })
      .first()
      .click();
    await at(page, '/start-free-trial');
    await heading(page, 'Start your free trial');
    await checkScreen(page);
  });
});

describe('before any script has arrived', () => {
  inBrowser({ width: 360 }, (session) => (page = session.page));

  it.each([
    ['/login', 'Welcome back', 'Login'],
    ['/sign-up', 'Create your account', 'Sign up'],
    ['/start-free-trial', 'Start your free trial', 'Start free trial'],
    ['/forgot-password', 'Forgot your password?', 'Forgot password'],
  ])('%s can be read, and keeps what is typed', async (path, name, title) => {
    let letGo = () => undefined as void;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    await page.route(/\/assets\/.*\.js/, async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(`${path}?return=%2Faccount`, { waitUntil: 'commit' });
    await heading(page, name);
    await expect.poll(() => page.title()).toBe(`${title} – Franchise 360`);
    await expect.poll(() => page.locator('meta[name=description]').getAttribute('content')).toMatch(/Franchise 360/);
    await page.getByLabel('Mobile number').fill('98765');
    letGo();
    await takenOver(page);
    await expect.poll(() => page.getByLabel('Mobile number').inputValue()).toBe('98765');
    if (path === '/login')
      await expect
        .poll(() => page.getByRole('link', { name: 'Create an account' }).getAttribute('href'))
        .toBe('/sign-up?return=%2Faccount');
  });
});
