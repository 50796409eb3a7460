import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { inBrowser, openBrowser, widths } from './support/browser';
import { press, retype, tabTo, typeFocused } from './support/keyboard';
import { codeFor, messagesTo, newPerson, register, type Person } from './support/people';
import { checkScreen, heading, signIn } from './support/shop';
import {
  because,
  beginAct,
  findCustomer,
  openedRequest,
  openEntry,
  openPlace,
  signInStaff,
  staff,
} from './support/staff';
import { newSubscriber } from './support/subscriber';
import { siteUrl } from './support/own-stack';

const call = (path: string, body: object) =>
  fetch(`${siteUrl()}/api/franchise${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });

let page: Page;
let asha: Person;

inBrowser({}, async (session) => {
  page = session.page;
  await signInStaff(page, staff.support);
});
beforeAll(async () => {
  asha = newPerson();
  await register(asha, true);
});

describe('a new agent helps a customer on the phone', () => {
  it('finds the customer by mobile and sees why, by the keyboard alone', async () => {
    await openPlace(page, 'Queues');
    await press(page, 'link', '360 Console, home');
    await heading(page, 'What needs you now');
    await expect.poll(() => page.getByRole('combobox').evaluate((box) => box === document.activeElement)).toBe(true);
    await checkScreen(page);
    await findCustomer(page, asha.mobile);
    await heading(page, /Asha/);
    await page.getByText('Account created').waitFor();
    await page.getByText('Code by SMS: sign up').waitFor();
    expect(await page.locator('main').innerText()).not.toContain(
      /\b(\d{6})\b/.exec((await messagesTo(asha.mobile))[0]?.body ?? '')?.[1],
    );
    await checkScreen(page);

    const rows = page.locator('[data-entry]');
    await rows.first().focus();
    await page.keyboard.press('j');
    await expect.poll(() => rows.nth(1).evaluate((row) => row === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /^Copy link to/ }).waitFor();
    await checkScreen(page);
    const entry = await page.locator('.entry:has(details[open])').getAttribute('id');
    await page.goto(`${page.url().split('?')[0] ?? ''}?entry=${entry ?? ''}`);
    await page.locator('.entry-linked details[open]').waitFor();
    await page.getByLabel('Show').selectOption('code');
    await expect.poll(() => page.getByRole('list', { name: 'Timeline' }).getByRole('listitem').count()).toBe(1);
  });

  it('shows new events only on request', async () => {
    await findCustomer(page, asha.mobile);
    await page.getByText('Account created').waitFor();
    const refused = (await (await call('/login', { username: asha.mobile, password: 'Papaya#2026' })).json()) as {
      request_id: string;
    };
    await call('/login', { username: asha.mobile, password: asha.password });
    const both = /^Show ([2-9]|\d\d+) new$/; // the first one alone may be found before the second has happened
    const more = page.getByRole('button', { name: both });
    await more.waitFor({ timeout: 180_000 });
    await press(page, 'button', both);
    await more.waitFor({ state: 'detached' });
    await expect
      .poll(() =>
        page
          .locator('[data-entry]')
          .first()
          .evaluate((row) => row === document.activeElement),
      )
      .toBe(true);
    await expect.poll(() => page.getByText('Signed in', { exact: true }).count()).toBe(2);
    await openEntry(page, 'Sign-in', 'Sign-in failed: wrong password');
    expect(await openedRequest(page, 'Not signed in')).toBe(refused.request_id);
    expect(await page.locator('main').innerText()).not.toContain('Papaya#2026');
  });

  it('tells who did what, and in which request', async () => {
    const buyer = await newSubscriber({ plan: 'Start up', type: 'monthly' });
    await findCustomer(page, buyer.mobile);
    await openEntry(page, 'Order', 'Order, new');
    const bought = await openedRequest(page, 'Customer');
    await openEntry(page, 'Payment', 'Payment begun');
    expect(await openedRequest(page, 'Customer')).toBe(bought);
    const asked = await openEntry(page, 'Job', 'Ask about a payment');
    const job = await openedRequest(page, 'System');
    for (const width of [widths.phone, widths.desktop]) {
      await page.setViewportSize({ width, height: 900 });
      await checkScreen(page);
    }
    await openEntry(page, 'Staff', 'Opened the page');
    expect(await openedRequest(page, 'Sunita Support')).not.toBe(bought);
    // A later entry about the same payment may be above it by now.
    await page.goto(`${page.url().split('?')[0] ?? ''}?kind=job&entry=${asked}`);
    await press(page, 'link', /^Open job \d+$/);
    await page.getByRole('dialog').getByText(job).waitFor();
    await checkScreen(page);
  });

  it('unlocks somebody whom wrong codes keep out, never without a reason', async () => {
    const guesses = Array.from({ length: 6 }, () =>
      call('/mobile/validate-otp', { mobile: asha.mobile, otp: '000000' }),
    );
    await Promise.all(guesses);
    await findCustomer(page, asha.mobile);
    await page.getByText(/Too many wrong codes/).waitFor();
    await beginAct(page, 'Unlock sign-in');
    await because(page, '   ');
    await page.getByText('Please say why, in 3 characters or more.').waitFor();
    await checkScreen(page);
    await page.keyboard.press('Control+A');
    await because(page, 'Locked out by wrong codes');
    await page
      .getByText(/Unlocked: the customer can/)
      .first()
      .waitFor();
    await page.getByText(/Too many wrong codes/).waitFor({ state: 'detached', timeout: 180_000 });
    await page
      .locator('[data-entry]')
      .filter({ hasText: 'Unlocked the sign-in' })
      .filter({ hasText: 'Sunita Support' })
      .waitFor({ timeout: 180_000 });
  });

  it('looks at the account with the customer’s code, changes nothing, and the customer sees it', async () => {
    await findCustomer(page, asha.mobile);
    const home = page.url();
    const before = (await messagesTo(asha.mobile)).length;
    await beginAct(page, 'Look at the account');
    await because(page, 'She cannot find her plan');
    await page.getByLabel('Code', { exact: true }).waitFor();
    await checkScreen(page);
    await typeFocused(page, page.getByLabel('Code', { exact: true }), '000000');
    await page.keyboard.press('Enter');
    await page.getByText('This code is not right. Ask the customer to read it out again.').waitFor();
    await page.keyboard.press('Control+A');
    await page.keyboard.type(await codeFor(asha.mobile, before + 1));
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => !url.pathname.startsWith('/support'));
    await page.getByText('You are looking at a customer’s account.').waitFor();
    await page.goto('/account/security');
    await page.getByText('You are looking at a customer’s account.').waitFor();
    await page.getByText('Looked at your account with your consent').waitFor();
    await checkScreen(page);
    const answer = await page.evaluate(
      async () =>
        (
          await fetch('/api/franchise/profile/update/profile', {
            method: 'POST',
            headers: { 'Content-Type': 'application/json' },
            body: '{}',
          })
        ).status,
    );
    expect(answer).toBe(403);
    await press(page, 'button', 'End the view');
    await page.waitForURL(home);
    expect(await page.evaluate(async () => (await fetch('/api/franchise/session')).status)).toBe(401);
  });

  it('ends the sessions of a lost phone', async () => {
    const phone = await openBrowser({ width: widths.phone });
    await signIn(phone.page, asha);
    await findCustomer(page, asha.mobile);
    await beginAct(page, 'End sessions');
    await because(page, 'Lost phone');
    await page
      .getByText(/sessions? ha(s|ve) ended\.$/)
      .first()
      .waitFor();
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
    await page.context().clearCookies();
    await signInStaff(page, staff.admin); // only admins see the whole trail
    await openPlace(page, 'Audit');
    await tabTo(page, page.getByLabel('What'));
    await page.keyboard.type('Unlocked');
    const records = page.getByRole('list', { name: 'Records' });
    await records.getByText('Opened the page').first().waitFor({ state: 'detached' });
    await records
      .getByText(/Locked out by wrong codes/)
      .first()
      .waitFor();
    await checkScreen(page);
    const [file] = await Promise.all([page.waitForEvent('download'), press(page, 'link', 'Export as CSV')]);
    expect(file.suggestedFilename()).toMatch(/^audit-\d{4}-\d\d-\d\d\.csv$/);
  });

  it('and contact requests carry how far they have come', async () => {
    await call('/contact', {
      name: 'Meera Rao',
      email: 'meera@example.in',
      topic: 'sales',
      message: 'Please call me back about Growth.',
      consent: true,
      consent_version: '2026-11',
    });
    await page.goto('/support/contacts?state=open');
    await tabTo(page, page.getByRole('link', { name: 'Meera Rao' }).first());
    await page.keyboard.press('Enter');
    await page.getByLabel('What to add').selectOption('note');
    await retype(page, 'Text', 'Called back.');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('Called back.').first().waitFor();
    await tabTo(page, page.getByRole('button', { name: 'Set to closed' }));
    await page.keyboard.press('Enter');
    await page.getByLabel('Reason', { exact: true }).waitFor();
    await because(page, 'Answered by phone');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.goto('/support/contacts?state=closed');
    await page.getByRole('link', { name: 'Meera Rao' }).first().waitFor();
    await checkScreen(page);
  });
});
