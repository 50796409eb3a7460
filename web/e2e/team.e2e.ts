import { request, type Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { inBrowser, wholePage, widths } from './support/browser';
import { customerOf, newCustomer } from './support/customer';
import { devices } from './support/devices';
import { typeFocused } from './support/keyboard';
import { codeFor, newPerson, smsPath, type Person } from './support/people';
import { at, checkScreen, heading, signIn } from './support/shop';
import { newSubscriber } from './support/subscriber';

let page: Page;

const invitation = /\/team\/[\w-]{38}/;

async function logOut(): Promise<void> {
  await page.getByRole('button', { name: /Account menu/ }).click();
  await page.getByRole('button', { name: 'Logout' }).click();
  await at(page, '/login');
}

async function invite(owner: Person, person: Person, role: RegExp): Promise<void> {
  await page.getByRole('button', { name: 'Invite a team member' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Ravi Rao');
  await page.getByLabel('Mobile number').fill(person.mobile);
  await page.getByRole('combobox', { name: /Role/ }).click();
  await page.getByRole('option', { name: role }).click();
  await page.getByRole('dialog').getByLabel('Password', { exact: true }).fill(owner.password);
  await checkScreen(page);
  await page.getByRole('button', { name: 'Send invitation' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

describe.each(devices)('a team on %s', (_device, width, dark) => {
  inBrowser({ width, dark }, (session) => (page = session.page));

  it('is invited by SMS, joins with a separate login, sees the screens of the role, and is removed', async () => {
    const owner = await newSubscriber('trial');
    const accountant = newPerson();
    await signIn(page, owner);
    await page.goto('/account/team');
    await page.getByText('You are the only one with access.').waitFor();
    await checkScreen(page);
    await invite(owner, accountant, /Accountant/);
    await page.getByRole('heading', { name: /Ravi Rao/ }).waitFor();
    await checkScreen(page);
    await logOut();

    await page.goto(await smsPath(accountant.mobile, invitation));
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
    await typeFocused(page, page.getByLabel('Verification code'), await codeFor(accountant.mobile, 2));
    await page.keyboard.press('Enter');
    await heading(page, 'You are invited');
    await page.getByRole('button', { name: 'Accept' }).click();
    await heading(page, 'Renewals and Billing');
    await page.getByText(/You are in .* as accountant/).waitFor();
    await checkScreen(page);
    const screens = page.getByRole('navigation', { name: 'Your account' }).getByRole('link');
    await expect.poll(() => screens.allInnerTexts()).toEqual(['Renewals & Billing']);
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
    await page.getByRole('dialog').getByLabel('Password', { exact: true }).fill(owner.password);
    await page.getByRole('dialog').getByRole('button', { name: 'Change role' }).click();
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
    await page.getByText('You are the only one with access.').waitFor();
    await page.getByText('You removed Ravi Rao.').waitFor();
    await checkScreen(page);
    await logOut();

    await signIn(page, accountant);
    await page.goto('/accounts');
    await page.getByText('Your own account').first().waitFor();
    await expect.poll(() => page.getByRole('button', { name: /^Leave/ }).count()).toBe(0);
  });
});

describe('a manager on a phone', () => {
  inBrowser({ width: widths.phone }, (session) => (page = session.page));

  it('begins at the requested screen, sees who buys, and is signed out at once when removed', async () => {
    const manager = newPerson();
    const [helper, atHome] = await newCustomer(manager);
    let memberId = '';
    const owner = await newSubscriber('trial', async (customer, { password }) => {
      const body = { name: 'Meera Shah', mobile: manager.mobile, role: 'manager', password };
      memberId = (await customer.call<{ id: string }>('POST', '/team/members', body)).id;
    });
    const code = (await smsPath(manager.mobile, invitation)).slice('/team/'.length);
    await helper.call('POST', `/team/invitations/${code}/accept`);
    await atHome.dispose();

    await page.goto('/account/store');
    await at(page, '/login');
    await signIn(page, manager);
    await heading(page, 'Which account?');
    await page.getByRole('button', { name: /Account menu/ }).click();
    await page.getByRole('link', { name: 'Switch account' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Open Asha Sweets/ }).click();
    await heading(page, 'Store');
    await page.getByText('Only the owner changes it.').waitFor();
    const name = page.getByLabel('Store Name');
    await name.fill('Asha Mithai');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Store details updated.').waitFor();
    await checkScreen(page);

    await page.goto('/pricing?billing=annual');
    await page.getByText(/Only the owner of that account chooses and pays/).waitFor();
    await wholePage(page);
    await expect.poll(() => page.getByRole('link', { name: /^Buy|^Choose/ }).count()).toBe(0);
    await checkScreen(page);

    await page.goto('/account/store');
    await name.fill('Asha Sweets');
    // A request that the page still sends by itself would sign the manager out before they save.
    await page.waitForLoadState('networkidle');
    const desk = await request.newContext({ timeout: 120_000 });
    const boss = customerOf(desk);
    await boss.call('POST', '/login', { username: owner.mobile, password: owner.password });
    await boss.call('DELETE', `/team/members/${memberId}`);
    await desk.dispose();
    await page.getByRole('button', { name: 'Save' }).click();
    await at(page, '/login');
    await page.getByText('Unauthorized! Please log in again.').first().waitFor();
    await signIn(page, manager);
    await at(page, '/pricing');
    await page.getByRole('button', { name: /Account menu/ }).click();
    await expect.poll(() => page.getByRole('link', { name: 'Switch account' }).count()).toBe(0);
  });
});
