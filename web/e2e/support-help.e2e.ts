import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { fitsWidth, inBrowser, widths } from './support/browser';
import { customerOf, type Customer } from './support/customer';
import { tellDns } from './support/domain';
import { press } from './support/keyboard';
import { messagesTo, type Person } from './support/people';
import { checkScreen } from './support/shop';
import { actOnEntry, because, beginAct, findCustomer, openEntry, openPlace, signInStaff, staff } from './support/staff';
import { newSubscriber } from './support/subscriber';

let page: Page;

inBrowser({}, async (session) => {
  page = session.page;
  await signInStaff(page, staff.support);
});

interface Domain {
  state: string;
  records: { type: string; name: string; value: string }[];
}

/** Opens the audit trail and expects the action there, once, with its reason. */
async function onRecord(action: string, reason: string): Promise<void> {
  await openPlace(page, 'Audit');
  const records = page.getByRole('list', { name: 'Records' }).getByRole('listitem').filter({ hasText: reason });
  await records
    .filter({ hasText: new RegExp(`${action}( · [^,]+)*, Sunita Support`) })
    .first()
    .waitFor();
  await expect.poll(() => records.count()).toBe(1);
}

it('a phone has the way to every desk in a drawer, a tablet in the rail', async () => {
  await page.setViewportSize({ width: widths.phone, height: 900 });
  await page.goto('/support');
  await press(page, 'button', 'Menu');
  const drawer = page.getByRole('dialog', { name: 'Console' });
  await drawer.getByRole('link', { name: 'Team', exact: true }).waitFor();
  await checkScreen(page);
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  expect(await fitsWidth(page)).toBe(true);
  await page.setViewportSize({ width: widths.tablet, height: 900 });
  await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Team', exact: true }).waitFor();
  expect(await fitsWidth(page)).toBe(true);
});

describe('without a mouse, support', () => {
  it('sends an invoice again, which the customer gets once', async () => {
    const person = await newSubscriber({ plan: 'Start up', type: 'monthly' });
    const invoices = async () => (await messagesTo(person.mobile)).filter(({ body }) => body.includes('FP/'));
    const before = (await invoices()).length;
    await findCustomer(page, person.mobile);
    await openEntry(page, 'Document', 'Invoice FP/');
    await actOnEntry(page, 'Send by SMS');
    await checkScreen(page);
    const reason = `Cannot find it ${person.mobile}`;
    await because(page, reason);
    await expect.poll(async () => (await invoices()).length, { timeout: 180_000 }).toBe(before + 1);
    expect((await invoices())[0]?.body).toMatch(/FP\/\d\d-\d\d\/\d{6}/);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await onRecord('Sent a document', reason);
    expect(await invoices()).toHaveLength(before + 1);
  });

  it('rechecks a domain whose records are there at last', async () => {
    let tenant = '';
    let domain = '';
    let look: () => Promise<Domain> = () => Promise.reject(new Error('nothing was asked yet'));
    const person: Person = await newSubscriber({ plan: 'Start up', type: 'monthly' }, async (customer: Customer) => {
      const dashboard = await customer.call<{ tenant: { id: string } }>('GET', '/subscription/dashboard');
      tenant = dashboard.tenant.id;
      domain = `shop${Date.now()}.example.in`;
      await customer.call('PUT', `/subscription/custom-domain/${tenant}`, { custom_domain: domain });
    });
    await customerOf(page.request).call('POST', '/login', { username: person.mobile, password: person.password });
    look = () => customerOf(page.request).call<Domain>('GET', `/subscription/custom-domain/${tenant}`);
    await findCustomer(page, person.mobile);
    await page.getByText(/waits for its proof/).waitFor();
    for (const { type, name, value } of (await look()).records) await tellDns(name, type as 'A' | 'TXT', [value]);
    expect((await look()).state).not.toBe('active');
    await beginAct(page, 'Recheck domain');
    await because(page, `The records are set ${person.mobile}`);
    await expect.poll(async () => (await look()).state, { timeout: 180_000 }).toBe('active');
    await page.getByText(/waits for its proof/).waitFor({ state: 'detached', timeout: 180_000 });
    await onRecord('Rechecked the domain', `The records are set ${person.mobile}`);
  });
});
