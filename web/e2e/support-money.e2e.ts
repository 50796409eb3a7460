import type { Locator, Page } from 'playwright-core';
import { describe, expect, inject, it } from 'vitest';
import { inBrowser, openBrowser, widths } from './support/browser';
import { customerOf, newCustomer, openCharge, saveAddress, selectionOf, type PlanWish } from './support/customer';
import { press, retype, tabTo } from './support/keyboard';
import { advanceClock, newPerson, type Person } from './support/people';
import { checkScreen, signIn } from './support/shop';
import { because, findCustomer, openEntry, openPlace, signInStaff, staff } from './support/staff';
import { newSubscriber } from './support/subscriber';

let page: Page;

inBrowser({}, async (session) => {
  page = session.page;
  await signInStaff(page, staff.admin);
});

interface Sandboxed {
  txnid: string;
  phone: string;
  refunds: { amount: string }[] | null;
}

/** What the gateway gave back to somebody, in rupees. */
async function givenBack({ mobile }: Person): Promise<string[]> {
  const answer = await fetch(`${inject('stack').gateway}/sandbox/payments`);
  const payments = (await answer.json()) as Sandboxed[];
  return payments
    .filter(({ phone }) => phone.endsWith(mobile))
    .flatMap(({ refunds }) => (refunds ?? []).map(({ amount }) => amount));
}

/** Waits for the gateway's refund and then for what is booked for it, of which a worker hears some minutes later. */
async function isBack(person: Person, amount: string): Promise<void> {
  await expect.poll(() => givenBack(person), { timeout: 30_000 }).toEqual([amount]);
  const refund = page.getByRole('list', { name: 'Timeline' }).locator('[data-entry]').filter({ hasText: 'Refund' });
  await expect
    .poll(
      async () => {
        await advanceClock(90);
        await page.goto(`${new URL(page.url()).pathname}?kind=refund`);
        await refund.first().waitFor();
        return refund.allInnerTexts();
      },
      { timeout: 60_000, interval: 3000 },
    )
    .toEqual([expect.not.stringMatching(/requested|sent/)]);
}

/** Types the reason and sends the dialog with the button of that name, by keyboard alone. */
async function send(dialog: Locator, reason: string, button: string): Promise<void> {
  await tabTo(page, dialog.getByLabel('Reason', { exact: true }));
  await page.keyboard.type(reason);
  await press(page, 'button', button);
}

/** Asks for money to go back of the customer's payment, by keyboard alone: a part, or all of it. */
async function askForMoney(
  person: Person,
  reason: string,
  { amount, button, printed }: { amount?: string; button: string; printed?: string },
): Promise<void> {
  await findCustomer(page, person.mobile);
  await openEntry(page, 'Payment', 'Payment paid');
  await press(page, 'button', 'Refund or credit note');
  const dialog = page.getByRole('dialog', { name: /^Give money back to/ });
  await dialog.waitFor();
  await dialog.getByLabel('Amount in rupees, tax included').waitFor();
  await checkScreen(page);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  expect(await dialog.isVisible(), 'no key acts before a field was chosen').toBe(true);
  await retype(page, 'Amount in rupees, tax included', '0.00');
  await send(dialog, 'A slip', 'Give money back');
  await dialog.getByText('The amount is above zero.').waitFor();
  await checkScreen(page);
  expect(await givenBack(person)).toEqual([]);
  await retype(
    page,
    'Amount in rupees, tax included',
    amount ?? (await dialog.getByText(/^₹.* is left of this payment\.$/).innerText()).replace(/^₹| is .*$/g, ''),
  );
  if (!amount) {
    await tabTo(page, dialog.getByRole('checkbox', { name: /^All that is left goes back/ }));
    await page.keyboard.press('Space');
  }
  if (printed) await retype(page, 'Reason printed on the credit note (optional)', printed);
  await retype(page, 'Reason', reason);
  await press(page, 'button', button);
}

/** The dialog has closed: only then do keys reach the console again. */
const isSent = () => page.getByRole('dialog').waitFor({ state: 'detached' });

/** The card of a request on the approvals' page, which must be open. */
const request = (at: Page, reason: string) => at.getByRole('main').getByRole('listitem').filter({ hasText: reason });

/** Decides about somebody else's request, as another admin, by keyboard alone. */
async function decideAsAnother(reason: string, what: 'Approve' | 'Decline', why: string): Promise<void> {
  const other = await openBrowser({ width: widths.phone, dark: true });
  try {
    await signInStaff(other.page, staff.secondAdmin, '/support/approvals?state=waiting');
    const card = request(other.page, reason);
    const button = card.getByRole('button', { name: new RegExp(`^${what}`) });
    await tabTo(other.page, button);
    await checkScreen(other.page);
    await other.page.keyboard.press('Enter');
    await because(other.page, why);
    await card.waitFor({ state: 'detached' });
  } finally {
    await other.close();
  }
  expect(other.faults).toEqual([]);
}

/** What the page's own session gets for approving the newest request that waits, past the missing button. */
const approveAnyway = () =>
  page.evaluate(async () => {
    const listed = (await (await fetch('/api/support/reversals?state=waiting')).json()) as { data: { id: string }[] };
    const token =
      document.cookie
        .split('; ')
        .find((part) => part.startsWith('STAFF-XSRF-TOKEN='))
        ?.split('=')[1] ?? '';
    const answer = await fetch(`/api/support/reversals/${listed.data[0]?.id}/approve`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-XSRF-TOKEN': decodeURIComponent(token) },
      body: JSON.stringify({ reason: 'Mine is fine' }),
    });
    return [answer.status, ((await answer.json()) as { code: string }).code];
  });

/** The customer's own lists name the credit note of a refund, say how much came back, and give its PDF. */
async function findsTheCreditNote(person: Person, amount: string): Promise<void> {
  const own = await openBrowser({ width: widths.phone });
  try {
    await signIn(own.page, person);
    for (const tab of ['orders', 'payments']) {
      await own.page.goto(`/subscription_list?tab=${tab}`);
      await own.page.getByRole('listitem').filter({ hasText: /CN\// }).getByText(amount, { exact: true }).waitFor();
      await own.page.getByText(new RegExp(`${amount}( of ₹14,750)? refunded$`)).waitFor();
      for (const width of [widths.phone, widths.desktop]) {
        await own.page.setViewportSize({ width, height: 900 });
        await checkScreen(own.page);
      }
    }
    const opened = own.page.waitForEvent('popup');
    await own.page.getByRole('button', { name: /^Download credit note CN\/.*, PDF$/ }).click();
    await opened;
    await own.page.getByText('Credit note downloaded').waitFor();
  } finally {
    await own.close();
  }
  expect(own.faults).toEqual([]);
}

const monthly: PlanWish = { plan: 'Start up', type: 'monthly' };
const yearly: PlanWish = { plan: 'Start up' };

describe('money goes back', () => {
  it('at once below the amount that takes two, with its credit note', async () => {
    const person = await newSubscriber(monthly);
    await askForMoney(person, `A goodwill ${person.mobile}`, {
      amount: '1,180',
      button: 'Give ₹1,180 back',
      printed: 'Late set-up',
    });
    await isBack(person, '1180.00');
    await openEntry(page, 'Document', 'Credit note CN/');
    await page.getByRole('list', { name: 'Timeline' }).getByText('₹1,180', { exact: true }).waitFor();
    await checkScreen(page);
    await openPlace(page, 'Approvals');
    await request(page, `A goodwill ${person.mobile}`).getByText('Done', { exact: true }).waitFor();
    await openPlace(page, 'Audit');
    await page.getByText(new RegExp(`^Asked for a refund · FP.*, Arun Admin: A goodwill ${person.mobile}$`)).waitFor();
    expect(await givenBack(person)).toEqual(['1180.00']);
    await findsTheCreditNote(person, '₹1,180');
  });

  it('above it only when another admin approves, never by who asked', async () => {
    const person = await newSubscriber(yearly);
    const reason = `Bought by mistake ${person.mobile}`;
    await askForMoney(person, reason, { button: 'Give ₹1,59,300 back and end the plan' });
    await openPlace(page, 'Approvals');
    const mine = request(page, reason);
    await mine.getByText('You asked for it, so that another admin decides.').waitFor();
    await mine.getByText('With this all of the payment is back, and what it bought ends that day.').waitFor();
    expect(await mine.getByRole('button').count()).toBe(0);
    expect(await approveAnyway()).toEqual([403, 'own_request']);
    expect(await givenBack(person)).toEqual([]);
    await decideAsAnother(reason, 'Approve', 'Checked with the customer');
    await findCustomer(page, person.mobile);
    await isBack(person, '159300.00');
    await openPlace(page, 'Approvals');
    await mine.getByText('Done', { exact: true }).waitFor();
    await mine.getByText(/Decided by Kavita Admin, .*: Checked with the customer/).waitFor();
  });

  it('not at all when another admin declines, who says why', async () => {
    const person = await newSubscriber(yearly);
    const reason = `Wants it back ${person.mobile}`;
    await askForMoney(person, reason, { button: 'Give ₹1,59,300 back and end the plan' });
    await decideAsAnother(reason, 'Decline', 'Used for half a year');
    await openPlace(page, 'Approvals');
    const declined = request(page, reason);
    await declined.getByText('Declined', { exact: true }).waitFor();
    await declined.getByText(/Decided by Kavita Admin, .*: Used for half a year/).waitFor();
    expect(await givenBack(person)).toEqual([]);
    const customer = customerOf(page.request);
    await customer.call('POST', '/login', { username: person.mobile, password: person.password });
    expect(await customer.call('GET', '/subscription/list')).toHaveLength(1);
  });

  it('and staff choose what becomes of the plan when all of it does', async () => {
    for (const goesOn of [true, false]) {
      const person = await newSubscriber(monthly);
      await findCustomer(page, person.mobile);
      await openEntry(page, 'Payment', 'Payment paid');
      await press(page, 'button', 'Refund or credit note');
      const choice = page.getByRole('group', { name: 'What becomes of the plan?' });
      await choice.waitFor();
      for (const width of [widths.phone, widths.desktop]) {
        await page.setViewportSize({ width, height: 900 });
        await checkScreen(page);
      }
      if (goesOn) {
        await choice.getByRole('radio', { name: /^It goes on until / }).check();
        await page.getByRole('radio', { name: 'Credit note for a bank transfer that was made' }).check();
        await page.getByLabel('UTR of the transfer').fill('HDFCN52026112112345678');
        await checkScreen(page);
      }
      await page.getByRole('checkbox', { name: /^All that is left goes back/ }).check();
      await send(
        page.getByRole('dialog'),
        `Agreed with the customer ${person.mobile}`,
        goesOn ? 'Book ₹14,750 as paid back and keep the plan' : 'Give ₹14,750 back and end the plan',
      );
      await isSent();
      if (!goesOn) await isBack(person, '14750.00');
      await findCustomer(page, person.mobile);
      await page.getByText('refunded').first().waitFor({ timeout: 30_000 });
      if (!goesOn) await page.getByText('Plan: revoked').waitFor();

      const own = await openBrowser({ width: widths.phone });
      await signIn(own.page, person);
      await own.page.goto('/dashboard');
      await own.page
        .getByText(goesOn ? /Renews on/ : /^Your plan ended on /)
        .first()
        .waitFor();
      if (goesOn) expect(await own.page.getByText(/Plan Expired/).count()).toBe(0);
      await own.close();
      expect(own.faults).toEqual([]);

      await openPlace(page, 'Approvals');
      await request(page, `Agreed with the customer ${person.mobile}`)
        .getByText(goesOn ? 'Booked' : 'Done', { exact: true })
        .waitFor();
      await checkScreen(page);
    }
  });

  it('as a whole when it was held because the amount was not the one that was asked for', async () => {
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
    await page.getByText(/^₹14,749 of FP.* is held: ₹14,750 was due, so ₹1 is missing\./).waitFor({ timeout: 30_000 });
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
    await press(page, 'button', 'Give it back');
    await page.getByText(/^All of the held payment goes back: ₹14,749\./).waitFor();
    await checkScreen(page);
    await send(page.getByRole('dialog'), `A wrong amount ${person.mobile}`, 'Give ₹14,749 back');
    await isBack(person, '14749.00');
    expect(await customer.call('GET', '/session')).toMatchObject({ 'franchiser-user': { is_active: false } });
    await context.dispose();
  });

  it('of a second capture by itself, and a lost dispute is booked once, by two admins', async () => {
    const person = await newSubscriber(monthly);
    const at = inject('stack').gateway;
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
        { timeout: 30_000, interval: 1000 },
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
