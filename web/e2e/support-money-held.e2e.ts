import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { inBrowser, widths } from './support/browser';
import { newCustomer, openCharge, saveAddress, selectionOf, type PlanWish } from './support/customer';
import { decideAsAnother, isBack, send, type Sandboxed } from './support/money';
import { newPerson } from './support/people';
import { checkScreen } from './support/shop';
import { actOnEntry, findCustomer, openEntry, signInStaff, staff } from './support/staff';
import { newSubscriber } from './support/subscriber';
import { ownStack } from './support/own-stack';

let page: Page;

inBrowser({}, async (session) => {
  page = session.page;
  await signInStaff(page, staff.admin);
});

const monthly: PlanWish = { plan: 'Start up', type: 'monthly' };

describe('money that bought nothing goes back', () => {
  it('as a whole when it was held because of a wrong amount', async () => {
    const person = newPerson();
    const [customer, context] = await newCustomer(person);
    await saveAddress(customer);
    const { transaction_id } = await openCharge(
      customer,
      '/subscription/payments/request',
      await selectionOf(customer, monthly),
    );
    const back = await customer.decide(transaction_id, {
      outcome: 'wrong_amount',
      amount: '14749.00',
      webhook: 'once',
      return: 'post',
    });
    await customer.post(back.return_url, back.fields);
    await findCustomer(page, person.mobile);
    await page.getByText(/^₹14,749 of FP.* is held: ₹14,750 was due, so ₹1 is missing\./).waitFor({ timeout: 180_000 });
    await checkScreen(page);
    await openEntry(page, 'Payment', 'Payment held');
    const held = page.locator('.entry:has(details[open])').first();
    for (const [name, value] of [
      ['Due', '₹14,750'],
      ['Came', '₹14,749'],
    ] as const)
      expect(
        await held
          .getByRole('term')
          .filter({ hasText: new RegExp(`^${name}$`) })
          .locator('xpath=following-sibling::dd')
          .innerText(),
      ).toBe(value);
    await actOnEntry(page, 'Give it back');
    await page.getByText(/^All of the held payment goes back: ₹14,749\./).waitFor();
    await checkScreen(page);
    await send(page, page.getByRole('dialog'), `A wrong amount ${person.mobile}`, 'Give ₹14,749 back');
    await isBack(page, person, '14749.00');
    expect(await customer.call('GET', '/session')).toMatchObject({ 'franchiser-user': { is_active: false } });
    await context.dispose();
  });

  it('of a second capture by itself, and a lost dispute is booked once, by two admins', async () => {
    const person = await newSubscriber(monthly);
    const at = ownStack().gateway;
    const payments = (await (await fetch(`${at}/sandbox/payments`)).json()) as Sandboxed[];
    const transaction = payments.find(({ phone }) => phone.endsWith(person.mobile))?.txnid ?? '';
    for (const [what, body] of [
      ['second-capture', {}],
      ['dispute', { amount: '1000.00', notice: 'once' }],
    ] as const) {
      const answer = await fetch(`${at}/sandbox/payments/${transaction}/${what}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
      expect(answer.status, what).toBe(200);
    }
    await expect
      .poll(
        async () => {
          await page.goto(`/support/payments/${transaction}`);
          await page.getByRole('heading', { level: 1, name: transaction }).waitFor();
          return [
            await page.getByText('₹29,500 in 2 captures').count(),
            await page.getByRole('button', { name: 'Say how it ended' }).count(),
          ];
        },
        { timeout: 180_000, interval: 1000 },
      )
      .toEqual([1, 1]);
    const captures = page.getByRole('table', { name: 'Captures of the payment' }).getByRole('row');
    await captures.filter({ hasText: 'Paid for what was bought' }).waitFor();
    await captures.filter({ hasText: /Nothing to give for it; ₹14,750 is (on its way )?back/ }).waitFor();
    for (const width of [widths.phone, widths.desktop]) {
      await page.setViewportSize({ width, height: 900 });
      await checkScreen(page);
    }
    let sent = 0;
    page.on('request', (one) => {
      if (one.method() === 'POST' && one.url().endsWith('/api/support/reversals')) sent += 1;
    });
    await page.getByRole('button', { name: 'Say how it ended' }).click();
    await page.getByRole('radio', { name: /^It was lost/ }).check();
    await page.getByLabel('Reason', { exact: true }).fill(`Read there ${person.mobile}`);
    await page.getByRole('button', { name: 'Book the loss' }).dblclick();
    await page.getByText('Nothing has happened yet: a second admin has to approve it.').waitFor();
    expect(sent).toBe(1);
    await page.getByText('Arun Admin asked for the loss to be booked.').waitFor();
    await decideAsAnother(`Read there ${person.mobile}`, 'Approve', 'Read there too');
    await page.reload();
    await page.getByRole('region', { name: 'Disputes' }).getByText('lost', { exact: true }).waitFor();
  });
});
