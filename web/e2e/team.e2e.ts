import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { inBrowser } from './support/browser';
import { devices } from './support/devices';
import { codeFor, messagesTo, newPerson, type Person } from './support/people';
import { at, checkScreen, heading, signIn } from './support/shop';
import { newSubscriber } from './support/subscriber';

let page: Page;

/** The path that the invitation in the newest message to the mobile leads to. */
async function invitationOf(mobile: string): Promise<string> {
  for (let tries = 0; tries < 100; tries += 1) {
    const path = /\/team\/[\w-]{38}/.exec((await messagesTo(mobile))[0]?.body ?? '')?.[0];
    if (path) return path;
    await sleep(100);
  }
  return expect.fail(`no invitation came to ${mobile}`);
}

async function logOut(): Promise<void> {
  await page.getByRole('button', { name: /Account menu/ }).click();
  await page.getByRole('button', { name: 'Logout' }).click();
  await at(page, '/login');
}

async function invite(person: Person, role: RegExp): Promise<void> {
  await page.getByRole('button', { name: 'Invite somebody' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Ravi Rao');
  await page.getByLabel('Mobile number').fill(person.mobile);
  await page.getByRole('combobox', { name: /Role/ }).click();
  await page.getByRole('option', { name: role }).click();
  await checkScreen(page);
  await page.getByRole('button', { name: 'Send invitation' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

describe.each(devices)('a team on %s', (_device, width, dark) => {
  inBrowser({ width, dark }, (session) => (page = session.page));

  it('is invited by SMS, joins with a login of its own, sees what the role includes, and is removed', async () => {
    const owner = await newSubscriber('trial');
    const accountant = newPerson();
    await signIn(page, owner);
    await page.goto('/account/team');
    await page.getByText('Only you open this account.').waitFor();
    await checkScreen(page);
    await invite(accountant, /Accountant/);
    await page.getByRole('heading', { name: /Ravi Rao/ }).waitFor();
    await checkScreen(page);
    await logOut();

    await page.goto(await invitationOf(accountant.mobile));
    await page.getByText(/invites you to the Franchise 360 account/).waitFor();
    await checkScreen(page);
    await page.getByRole('link', { name: 'Create a login' }).click();
    await heading(page, 'Create your account');
    await page.getByLabel('Email', { exact: true }).fill(accountant.email);
    await page.getByLabel('Password', { exact: true }).fill(accountant.password);
    await page.getByLabel('Mobile number').fill(accountant.mobile);
    await page.getByRole('checkbox', { name: /I agree/ }).check();
    await page.getByRole('button', { name: 'Sign up' }).click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type(await codeFor(accountant.mobile, 2));
    await page.keyboard.press('Enter');
    await heading(page, 'You are invited');
    await page.getByRole('button', { name: 'Accept' }).click();
    await heading(page, 'Renewals and Billing');
    await page.getByText(/You are in .* as accountant/).waitFor();
    await checkScreen(page);
    const screens = page.getByRole('navigation', { name: 'Your account' }).getByRole('link');
    expect(await screens.allInnerTexts()).toEqual(['Renewals & Billing']);
    for (const path of ['/dashboard', '/account', '/account/team', '/account/store', '/store-details']) {
      await page.goto(path);
      await heading(page, 'Your role does not include this');
    }
    await checkScreen(page);
    await page.getByRole('link', { name: 'Switch account' }).first().click();
    await heading(page, 'Which account?');
    await page.getByText('Your own account').first().waitFor();
    await checkScreen(page);
    await logOut();

    await signIn(page, owner);
    await page.goto('/account/team');
    await page.getByText('Ravi Rao joined as accountant.').waitFor();
    await page.getByRole('button', { name: /Make manager/ }).click();
    await page.getByText('You made Ravi Rao manager.').waitFor();
    await logOut();

    await signIn(page, accountant);
    await heading(page, 'Which account?');
    await page.getByRole('button', { name: /^Open Asha Sweets/ }).click();
    await heading(page, 'Store');
    await page.getByText('Address on the web').waitFor();
    await checkScreen(page);
    await logOut();

    await signIn(page, owner);
    await page.goto('/account/team');
    await page.getByRole('button', { name: /Remove/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Only you open this account.').waitFor();
    await page.getByText('You removed Ravi Rao.').waitFor();
    await checkScreen(page);
    await logOut();

    await signIn(page, accountant);
    await page.goto('/accounts');
    await page.getByText('Your own account').first().waitFor();
    expect(await page.getByRole('button', { name: /^Leave/ }).count()).toBe(0);
  });
});
