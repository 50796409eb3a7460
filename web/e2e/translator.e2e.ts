import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { translatePage } from '../src/testing/translate-page';
import { inBrowser, takenOver, widths } from './support/browser';
import { codeFor, messagesTo, newPerson, register } from './support/people';
import { at, choosePlan, heading, signIn } from './support/shop';
import { staff, signInStaff } from './support/staff';
import { newSubscriber } from './support/subscriber';

let page: Page;

inBrowser({ width: widths.desktop }, (session) => (page = session.page));

/** Has the page translated as Chrome does it, and again after each load. */
const translate = () => page.evaluate(translatePage);
const button = (name: string | RegExp) => page.getByRole('button', { name });

/** Fails if the page crashed and shows the error page. */
const stands = async () =>
  expect(await page.getByRole('heading', { name: 'Something went wrong on this page' }).count()).toBe(0);

describe('a page that a translator has changed', () => {
  it('refuses a wrong password with a message, keeps what was typed, and lets in by the right one', async () => {
    const person = newPerson();
    await register(person);
    await page.goto('/login');
    await takenOver(page);
    await translate();
    await page.getByLabel('Mobile number').fill(person.mobile);
    await page.getByLabel('Password', { exact: true }).fill('Wrong#2026');
    await button('Login').click();
    await page.getByText('There is a problem').waitFor();
    await stands();
    expect(await page.getByLabel('Mobile number').inputValue()).toBe(person.mobile);
    await button('Show').first().click();
    await page.getByLabel('Password', { exact: true }).fill(person.password);
    await button('Login').click();
    await page.waitForURL((url) => url.pathname !== '/login');
    await stands();
  });

  it('counts down, sends another code, refuses a wrong one and takes the right one', async () => {
    const person = newPerson();
    await page.goto('/sign-up');
    await takenOver(page);
    await translate();
    await page.getByLabel('Mobile number').fill(person.mobile);
    await page.getByLabel('Email').fill(person.email);
    await page.getByLabel('Password', { exact: true }).fill(person.password);
    await page.getByRole('checkbox').check();
    await button('Sign up').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Verification code').waitFor();
    const code = await codeFor(person.mobile);
    const waits = await dialog.innerText();
    await expect.poll(() => dialog.innerText()).not.toBe(waits);
    await dialog.getByLabel('Verification code').fill(code === '000000' ? '111111' : '000000');
    await page.keyboard.press('Enter');
    await dialog.getByText('There is a problem').waitFor();
    await stands();
    const resend = dialog.getByRole('button', { name: /Resend/ });
    await expect.poll(() => resend.getAttribute('aria-disabled'), { timeout: 180_000 }).toBeNull();
    await resend.click();
    await expect.poll(async () => (await messagesTo(person.mobile)).length).toBe(2);
    await dialog.getByLabel('Verification code').fill(await codeFor(person.mobile, 2));
    await page.keyboard.press('Enter');
    await at(page, '/store-details/address');
    await stands();
  });

  it('shows the prices of the other period, the total of a choice and the account form', async () => {
    const person = newPerson();
    await register(person);
    await page.goto('/pricing');
    await takenOver(page);
    await translate();
    await page.locator('label', { hasText: 'Annual' }).click();
    const card = page.getByRole('article', { name: 'Growth' });
    await card.getByText('₹1,62,000').waitFor();
    await page.locator('label', { hasText: 'Monthly' }).click();
    await card.getByText('₹15,000').waitFor();
    await stands();
    await signIn(page, person);
    await choosePlan(page, 'Growth');
    await translate();
    const total = () => page.getByRole('status').allInnerTexts();
    const before = (await total()).join();
    await page.getByRole('radio', { name: /^Apex/ }).check();
    await expect.poll(async () => (await total()).join()).not.toBe(before);
    await stands();
  });

  it('opens the gateway, changes the plan and saves the profile', async () => {
    const person = await newSubscriber({ plan: 'Start up' });
    await signIn(page, person);
    await page.goto('/account');
    await page.getByLabel('First Name').waitFor();
    await translate();
    await page.getByLabel('First Name').fill('Asha');
    await page.getByLabel('Last Name').fill('Kulkarni');
    await button('Save').click();
    await page.getByRole('button', { name: /Asha Kulkarni/ }).waitFor();
    await stands();
    await page.goto('/dashboard/change-plan');
    await heading(page, 'Change plan');
    await translate();
    await page.getByRole('radio', { name: /^Start up Apex up to 36 franchises/ }).check();
    await page.getByRole('table', { name: 'What changes' }).getByText('Start up · Apex').waitFor();
    await button(/^Review and pay/).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Pay ₹/ })
      .click();
    await page.getByRole('heading', { name: 'Complete your payment' }).waitFor();
  });

  it('filters and searches in the console', async () => {
    await signInStaff(page, staff.support, '/support/jobs');
    await heading(page, 'Jobs');
    await translate();
    await page.getByRole('combobox', { name: 'Search or jump to' }).fill('9000000001');
    await page.getByRole('listbox', { name: 'Found' }).getByRole('option').first().waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/support\/customers\//);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await stands();
  });
});
