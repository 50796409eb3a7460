import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { inBrowser, widths } from './support/browser';
import { typeInto } from './support/keyboard';
import { newPerson, register } from './support/people';
import { at, checkScreen, choosePlan, giveAddress, heading, signIn } from './support/shop';

let page: Page;

describe('the payment preference', () => {
  inBrowser({ width: widths.phone }, (session) => (page = session.page));

  it('sends nothing and forgets what was typed', async () => {
    const calls: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/api/')) calls.push(request.url());
    });
    await page.goto('/payment');
    await heading(page, 'How would you like to pay?');
    await checkScreen(page);
    await typeInto(page, 'Card number', '4111111111111111');
    await typeInto(page, 'Expiry date', '1240');
    await typeInto(page, 'CVV', '123');
    await typeInto(page, 'Name on card', 'Asha Kulkarni');
    await page.keyboard.press('Enter');
    await at(page, '/pricing');
    await page.goBack();
    await expect.poll(() => page.getByLabel('Card number').inputValue()).toBe('');
    // Prices and the announcement say nothing about who reads them.
    expect(calls.filter((url) => !/subscription-plan|\/announcement$/.test(url))).toEqual([]);
    expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toMatch(
      /4111|Kulkarni/,
    );
  });

  it('keeps only the method, and lets the gateway offer all of them above the limit of UPI', async () => {
    const person = newPerson();
    await register(person);
    await signIn(page, person);
    await page.goto('/store-details/address');
    await giveAddress(page);
    await at(page, '/pricing');
    await page.goto('/payment?method=upi');
    await typeInto(page, 'UPI ID', 'asha@okbank');
    await page.keyboard.press('Enter');
    await at(page, '/pricing');
    await choosePlan(page, 'Start up');
    await page.getByRole('button', { name: 'View Details' }).click();
    await page.getByText('One UPI payment can be ₹1,00,000 at most.').waitFor();
    const [posted] = await Promise.all([
      page.waitForRequest((request) => request.url().endsWith('/_payment')),
      page.getByRole('button', { name: 'Pay ₹1,59,300' }).click(),
    ]);
    const form = new URLSearchParams(posted.postData() ?? '');
    expect(form.get('enforce_paymethod')).toBeNull();
    expect(form.toString()).not.toMatch(/okbank/);
    await page.getByRole('heading', { name: 'Complete your payment' }).waitFor();
  });
});
