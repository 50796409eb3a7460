import type { CDPSession, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { inBrowser } from './support/browser';
import { press, retype } from './support/keyboard';
import { emailedPath, newPerson } from './support/people';
import { checkScreen } from './support/shop';
import { signInStaff, staff } from './support/staff';
import { unusedCode } from './support/totp';

let page: Page;
let devices: CDPSession;
let authenticatorId: string;
const who = staff.secondAdmin;

/** A virtual authenticator that stores passkeys and unlocks automatically. */
inBrowser({}, async (session) => {
  page = session.page;
  devices = await session.context.newCDPSession(page);
  await devices.send('WebAuthn.enable');
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  } as const;
  ({ authenticatorId } = await devices.send('WebAuthn.addVirtualAuthenticator', { options }));
  await signInStaff(page, who, '/support/account');
});

/** Enters the password and an unused code. */
async function enterProof(): Promise<void> {
  const form = page.getByRole('form', { name: 'Make the passkey' });
  await form.getByLabel('Current password', { exact: true }).fill('Mangoes#2027');
  await form.getByLabel('Current code of your authenticator app').fill(await unusedCode(who.key));
}

async function signInWithIt(): Promise<void> {
  await page.context().clearCookies();
  await page.goto('/support/login?next=/support/account');
  await press(page, 'button', 'Use a passkey');
}

it('staff add a passkey, sign in with it alone, and remove it', async () => {
  const name = `Laptop ${newPerson().mobile}`;
  const listed = page.getByRole('list', { name: 'Passkeys' }).getByRole('listitem').filter({ hasText: name });
  await press(page, 'button', 'Add a passkey');
  await retype(page, 'Name, such as that of the device', name);
  await enterProof();
  await checkScreen(page);
  await press(page, 'button', 'Make the passkey');
  await listed.getByText('not used yet').waitFor();
  expect((await devices.send('WebAuthn.getCredentials', { authenticatorId })).credentials).toHaveLength(1);
  await emailedPath(who.email, new RegExp(name));

  await press(page, 'button', 'Add a passkey');
  await retype(page, 'Name, such as that of the device', 'Once more');
  await enterProof();
  await press(page, 'button', 'Make the passkey');
  await page.getByText('This device has a passkey for your account already.').waitFor();

  await signInWithIt();
  await listed.getByText('last used').waitFor();
  await page.getByText(`Signed in with the passkey ${name}`).first().waitFor();

  await devices.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
  await signInWithIt();
  await page.getByText('Nothing was done').waitFor();
  await checkScreen(page);
  expect(page.url()).toContain('/support/login');

  await devices.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true });
  await press(page, 'button', 'Use a passkey');
  await press(page, 'button', `Remove the passkey ${name}`);
  await page.getByRole('dialog').getByLabel('Current password', { exact: true }).fill('Mangoes#2027');
  await press(page, 'button', 'Remove it');
  await listed.waitFor({ state: 'detached' });
  await signInWithIt();
  await page.getByText('This passkey does not sign you in here.').waitFor();
});
