import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { inBrowser, openBrowser, widths } from './support/browser';
import { newCustomer } from './support/customer';
import { press } from './support/keyboard';
import { newPerson } from './support/people';
import { checkScreen, heading } from './support/shop';
import { because, becauseProved, signInStaff, staff } from './support/staff';
import { siteUrl } from './support/own-stack';

let page: Page;
let server: Server;
let taken: { headers: IncomingHttpHeaders; body: string }[] = [];
let status = 204;

const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
const name = `Venkatanarasimharajuvaripeta’s orders ${newPerson().mobile}`;
const card = (one = page) => one.getByRole('listitem', { name, exact: true });
const rows = (one = page) => one.getByRole('table', { name: 'Deliveries' }).getByRole('row').filter({ hasText: name });

/** Whether the newest message carries a signature made with the secret, as the standard has it. */
function signedWith(secret: string): boolean {
  const { headers, body } = taken.at(-1) ?? expect.fail('nothing came');
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signed = `${headers['webhook-id'] as string}.${headers['webhook-timestamp'] as string}.${body}`;
  const signature = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  return (headers['webhook-signature'] as string).split(' ').includes(signature);
}

const came = (count: number) => expect.poll(() => taken.length, { timeout: 180_000 }).toBe(count);

/** The secret or key that a dialog shows once; closes the dialog. */
async function shownOnce(): Promise<string> {
  const dialog = page.getByRole('dialog', { name: /^Copy the/ });
  await dialog.waitFor();
  await checkScreen(page);
  const secret = await dialog.locator('code').innerText();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => page.getByText(secret).count()).toBe(0);
  return secret;
}

async function choose(choice: string, reason: string, proved = false): Promise<void> {
  await press(page, 'button', `${choice} ${name}`);
  await (proved ? becauseProved(page, reason, staff.admin) : because(page, reason));
}

beforeAll(async () => {
  server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      taken.push({ headers: request.headers, body: Buffer.concat(parts).toString() });
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => new Promise((resolve) => server.close(resolve)));
beforeEach(() => {
  taken = [];
  status = 204;
});
inBrowser({}, (session) => (page = session.page));

it('an admin connects a system, which is told of what happens, signed, and again on demand; support only looks', async () => {
  await signInStaff(page, staff.admin, '/support/connected');
  await heading(page, 'Connected systems');
  await press(page, 'button', 'Add a connected system');
  await page.getByLabel('Address').fill('ftp://erp.example.in');
  await page.getByLabel('What it is').fill(name);
  await page.getByLabel('Reason', { exact: true }).focus();
  await becauseProved(page, 'The ERP goes live', staff.admin);
  await page
    .getByRole('alert')
    .getByText(/Enter an https address/)
    .waitFor();
  await checkScreen(page);
  await page.getByLabel('Address').fill(address());
  await page.getByLabel('Reason', { exact: true }).press('Enter'); // a bad address uses up no code
  const secret = await shownOnce();

  await choose('Send a test event', 'To see whether it answers');
  await came(1);
  expect(signedWith(secret)).toBe(true);
  await rows().getByText('(204)').waitFor({ timeout: 180_000 });
  await rows().getByRole('button', { name: /^Show/ }).first().click();
  await page
    .getByRole('dialog', { name: 'Delivery' })
    .getByText(/^Answered 204/)
    .waitFor();
  await checkScreen(page);
  await page.keyboard.press('Escape');
  await rows()
    .getByRole('button', { name: /^Send again/ })
    .first()
    .click();
  await because(page, 'They lost it');
  await page.getByText('The event is on its way again.').waitFor();
  await came(2);
  expect(taken[1]?.headers['webhook-id']).toBe(taken[0]?.headers['webhook-id']);

  for (const width of Object.values(widths)) {
    await page.setViewportSize({ width, height: 900 });
    await checkScreen(page);
  }

  await choose('Change the secret', 'Somebody left', true);
  const next = await shownOnce();
  const [, context] = await newCustomer(newPerson(), true);
  await context.dispose();
  await expect.poll(() => taken.some(({ body }) => body.includes('account.created')), { timeout: 180_000 }).toBe(true);
  expect([signedWith(secret), signedWith(next)]).toEqual([true, true]);

  status = 410;
  await (await newCustomer(newPerson(), true))[1].dispose(); // this sends an event to the endpoint
  await card().getByText('Disabled: it answered that it is gone').waitFor({ timeout: 180_000 });
  const support = await openBrowser({ width: widths.phone, dark: true });
  await signInStaff(support.page, staff.support, '/support/connected');
  await card(support.page).getByText('Disabled: it answered that it is gone').waitFor();
  await expect
    .poll(() => support.page.getByRole('button', { name: /^(Enable|Add|Make|Remove|Send again)/ }).count())
    .toBe(0);
  await checkScreen(support.page);
  await support.close();
  expect(support.faults).toEqual([]);

  await choose('Enable', 'It is back', true);
  await card().getByText('Enabled', { exact: true }).waitFor();
  await choose('Remove', 'The test is over');
  await card().waitFor({ state: 'detached' });
});

it('an API key reads a customer’s entitlements until it is revoked', async () => {
  const [customer, context] = await newCustomer(newPerson(), true);
  const { 'franchiser-user': user } = await customer.call<{ 'franchiser-user': { franchiser_id: string } }>(
    'GET',
    '/session',
  );
  await context.dispose();
  await signInStaff(page, staff.admin, '/support/connected');
  await press(page, 'button', 'Make an API key');
  await page.getByRole('dialog').waitFor();
  await page.getByLabel('What it is for').fill(name);
  await becauseProved(page, 'The ERP goes live', staff.admin);
  const key = await shownOnce();
  const ask = () =>
    fetch(`${siteUrl()}/api/v1/tenants/${user.franchiser_id}/entitlements`, {
      headers: { Authorization: `Bearer ${key}` },
    });
  const answer = await ask();
  expect(answer.status).toBe(200);
  expect(((await answer.json()) as { data: { usable: boolean } }).data.usable).toBe(true);
  await press(page, 'button', `Revoke ${name}`);
  await because(page, 'The test is over');
  await page.getByText('The key is revoked.').waitFor();
  await checkScreen(page);
  expect((await ask()).status).toBe(401);
});
