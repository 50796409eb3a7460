import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { openBrowser, widths, type Session } from './support/browser';
import { advanceClock, codeFor, messagesTo, newPerson, register, type Person } from './support/people';
import { checkScreen, heading, signIn } from './support/shop';
import { because, findCustomer, signInStaff, staff } from './support/staff';
import { newSubscriber } from './support/subscriber';

const call = (path: string, body: object) => fetch(`${inject('baseUrl')}/api/franchise${path}`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });

let console_: Session;
let page: Page;
let asha: Person;

beforeAll(async () => {
  asha = newPerson();
  await register(asha, true);
  console_ = await openBrowser({ width: widths.desktop });
  page = console_.page;
  await signInStaff(page, staff.support);
  await heading(page, 'Who needs help?');
});

afterAll(async () => {
  await console_.close();
  expect(console_.faults).toEqual([]);
});

describe('a new agent helps a customer on the phone', () => {
  it('finds the customer by mobile and sees why, by the keyboard alone', async () => {
    await checkScreen(page);
    await findCustomer(page, asha.mobile);
    await heading(page, /Asha/);
    await page.getByText('Account created').waitFor();
    await page.getByText('Code by SMS: sign up').waitFor();
    expect(await page.locator('main').innerText()).not.toContain(/\b(\d{6})\b/.exec((await messagesTo(asha.mobile))[0]?.body ?? '')?.[1]);
    await checkScreen(page);

    const rows = page.locator('[data-entry]');
    await rows.first().focus();
    await page.keyboard.press('j');
    expect(await rows.nth(1).evaluate((row) => row === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /^Copy link to/ }).waitFor();
    await checkScreen(page);
    const entry = await page.locator('.entry:has(details[open])').getAttribute('id');
    await page.goto(`${page.url().split('?')[0] ?? ''}?entry=${entry ?? ''}`);
    await page.locator('.entry-linked details[open]').waitFor();
    await page.getByLabel('Show').selectOption('code');
    await expect.poll(() => page.getByRole('list', { name: 'Timeline' }).getByRole('listitem').count()).toBe(1);
  });

  it('shows what happens meanwhile only when asked to', async () => {
    await page.getByLabel('Show').selectOption('');
    await page.getByText('Account created').waitFor();
    await call('/login', { username: asha.mobile, password: 'Papaya#2026' });
    await call('/login', { username: asha.mobile, password: asha.password });
    const more = page.getByRole('button', { name: /^Show \d+ new$/ });
    await more.waitFor({ timeout: 20_000 });
    await more.click();
    await more.waitFor({ state: 'detached' });
    expect(await page.getByText('Signed in', { exact: true }).count()).toBe(2);
    await page.getByText('Sign-in failed: wrong password').waitFor();
    expect(await page.locator('main').innerText()).not.toContain('Papaya#2026');
  });

  it('unlocks somebody whom wrong codes keep out, never without a reason', async () => {
    const guesses = Array.from({ length: 6 }, () => call('/mobile/validate-otp', { mobile: asha.mobile, otp: '000000' }));
    await Promise.all(guesses);
    await page.getByText(/Too many wrong codes/).waitFor({ timeout: 20_000 });
    await page.getByRole('button', { name: 'Unlock sign-in' }).click();
    await because(page, '   ');
    await page.getByText('Please say why, in 3 characters or more.').waitFor();
    await checkScreen(page);
    await page.getByLabel('Reason', { exact: true }).fill('');
    await because(page, 'Locked out by wrong codes');
    await page.getByText(/Unlocked: the customer can/).first().waitFor();
    await page.getByText(/Too many wrong codes/).waitFor({ state: 'detached', timeout: 20_000 });
    await page.getByText('Unlocked the sign-in, Sunita Support').waitFor({ timeout: 20_000 });
  });

  it('looks at the account with the customer’s code, changes nothing, and the customer sees it', async () => {
    const home = page.url().split('?')[0] ?? '';
    const before = (await messagesTo(asha.mobile)).length;
    await page.getByRole('button', { name: 'Look at the account' }).click();
    await because(page, 'She cannot find her plan');
    await page.getByLabel('Code', { exact: true }).waitFor();
    await checkScreen(page);
    await page.keyboard.type('000000');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Code', { exact: true }).fill(await codeFor(asha.mobile, before + 1));
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => !url.pathname.startsWith('/support'));
    await page.getByText('You are looking at a customer’s account.').waitFor();
    await page.goto('/account/security');
    await page.getByText('You are looking at a customer’s account.').waitFor();
    await page.getByText('Looked at your account with your consent').waitFor();
    await checkScreen(page);
    const answer = await page.evaluate(async () => (await fetch('/api/franchise/profile/update/profile', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' })).status);
    expect(answer).toBe(403);
    await page.getByRole('button', { name: 'End the view' }).click();
    await page.waitForURL(home);
    expect(await page.evaluate(async () => (await fetch('/api/franchise/session')).status)).toBe(401);
  });

  it('ends the sessions of a lost phone', async () => {
    const phone = await openBrowser({ width: widths.phone });
    await signIn(phone.page, asha);
    await page.getByRole('button', { name: 'End sessions' }).click();
    await because(page, 'Lost phone');
    await page.getByText(/sessions? ha(s|ve) ended\.$/).first().waitFor();
    expect(await phone.page.evaluate(async () => (await fetch('/api/franchise/session')).status)).toBe(401);
    await phone.close();
  });

  it('helps a number that never finished its sign-up', async () => {
    const stranger = newPerson();
    await call('/register', { mobile: stranger.mobile, email: stranger.email, password: stranger.password });
    await codeFor(stranger.mobile);
    await findCustomer(page, stranger.mobile);
    await page.getByText('A sign-up waits for its code.').waitFor();
    await checkScreen(page);
  });
});

describe('what staff do is on the record', () => {
  it('in a trail with filters and a file', async () => {
    await page.goto('/support/audit?action=unlock');
    await page.getByText(/Locked out by wrong codes/).first().waitFor();
    await checkScreen(page);
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Export as CSV' }).click()]);
    expect(file.suggestedFilename()).toMatch(/^audit-\d{4}-\d\d-\d\d\.csv$/);
  });

  it('and contact requests carry how far they have come', async () => {
    await call('/contact', { name: 'Meera Rao', email: 'meera@example.in', topic: 'sales', message: 'Please call me back about Growth.', consent: true, consent_version: '2026-11' });
    await page.goto('/support/contacts?status=open');
    await page.getByRole('button', { name: /^In progress\s+for the request of Meera Rao/ }).first().click();
    await page.getByLabel('What was answered').fill('Called back.');
    await page.getByLabel('Reason', { exact: true }).focus();
    await because(page, 'I am on it');
    await page.goto('/support/contacts?status=in_progress');
    await page.getByText('Called back.').first().waitFor();
    await checkScreen(page);
  });
});

describe('an admin gives all of a payment back', () => {
  it('and chooses what becomes of the plan', async () => {
    const admin = await openBrowser({ width: widths.desktop });
    await signInStaff(admin.page, staff.admin);
    for (const goesOn of [true, false]) {
      const customer = await newSubscriber({ plan: 'Start up', type: 'monthly' });
      await findCustomer(admin.page, customer.mobile);
      await admin.page.getByText('Payment paid').click();
      await admin.page.getByRole('button', { name: 'Refund or credit note' }).first().click();
      const choice = admin.page.getByRole('group', { name: 'What becomes of the plan?' });
      await choice.waitFor();
      for (const width of [widths.phone, widths.desktop]) {
        await admin.page.setViewportSize({ width, height: 900 });
        await checkScreen(admin.page);
      }
      if (goesOn) {
        await choice.getByRole('radio', { name: /^It goes on until / }).check();
        await admin.page.getByRole('radio', { name: 'Credit note for a bank transfer that was made' }).check();
        await admin.page.getByLabel('UTR of the transfer').fill('HDFCN52026112112345678');
        await checkScreen(admin.page);
      }
      await admin.page.getByLabel('Reason', { exact: true }).focus();
      await because(admin.page, 'Agreed with the customer');
      await admin.page.getByText('It is on its way.').waitFor();
      if (!goesOn) {
        await admin.page.locator('.entry-refund').getByText('sent').waitFor({ timeout: 30_000 });
        await advanceClock(90); // the gateway takes a moment, and is asked again after a minute
      }
      await admin.page.getByText('refunded').first().waitFor({ timeout: 30_000 });

      const own = await openBrowser({ width: widths.phone });
      await signIn(own.page, customer);
      await own.page.goto('/dashboard');
      await own.page.getByText(goesOn ? /Renews on/ : /^Plan Expired On: /).first().waitFor();
      if (goesOn) expect(await own.page.getByText(/Plan Expired/).count()).toBe(0);
      else {
        await admin.page.reload(); // what is new waits behind its button
        await admin.page.getByText('Subscription: revoked').waitFor();
      }
      await own.close();
    }
    await admin.page.goto('/support/approvals');
    await admin.page.getByText('What the payment bought ends once all of it is back.').first().waitFor();
    await admin.page.getByText('As goodwill, what the payment bought goes on even when all of it is back.').first().waitFor();
    await checkScreen(admin.page);
    await admin.close();
    expect(admin.faults).toEqual([]);
  });
});
