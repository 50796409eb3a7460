import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { inBrowser, openBrowser, widths } from './support/browser';
import { customerOf, type PlanWish } from './support/customer';
import { press, retype, tabTo } from './support/keyboard';
import { decideAsAnother, givenBack, isBack, request, send } from './support/money';
import { type Person } from './support/people';
import { checkScreen, signIn } from './support/shop';
import { actOnEntry, findCustomer, openEntry, openPlace, signInStaff, staff } from './support/staff';
import { newSubscriber } from './support/subscriber';

let page: Page;

inBrowser({}, async (session) => {
  page = session.page;
  await signInStaff(page, staff.admin);
});

/** Waits until the dialog has closed: only then do keys reach the console again, and is the request no longer under way. */
const isSent = () => page.getByRole('dialog').waitFor({ state: 'detached' });

/** Requests a refund of the customer's payment, in part or in full, by keyboard alone. */
async function askForMoney(
  person: Person,
  reason: string,
  { amount, button, printed }: { amount?: string; button: string; printed?: string },
): Promise<void> {
  await findCustomer(page, person.mobile);
  await openEntry(page, 'Payment', 'Payment paid');
  await actOnEntry(page, 'Refund or credit note');
  const dialog = page.getByRole('dialog', { name: /^Give money back to/ });
  await dialog.waitFor();
  await dialog.getByLabel('Amount in rupees, tax included').waitFor();
  await checkScreen(page);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  expect(await dialog.isVisible(), 'no key acts before a field was chosen').toBe(true);
  await retype(page, 'Amount in rupees, tax included', '0.00');
  await send(page, dialog, 'A slip', 'Give money back');
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
  await isSent();
}

/** The response if the page's own session approves the newest pending request, although the button is missing. */
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

/** The customer's own lists show the credit note of a refund and the refunded amount, and offer its PDF. */
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
    await isBack(page, person, '1180.00');
    await openEntry(page, 'Document', 'Credit note CN/');
    await page.getByRole('list', { name: 'Timeline' }).getByText('₹1,180', { exact: true }).waitFor();
    await checkScreen(page);
    await openPlace(page, 'Approvals');
    await request(page, `A goodwill ${person.mobile}`).getByText('Done', { exact: true }).waitFor();
    await openPlace(page, 'Audit');
    await page.getByText(new RegExp(`^Asked for a refund · FP.*, Arun Admin: A goodwill ${person.mobile}$`)).waitFor();
    expect(await givenBack(person)).toEqual(['1180.00']);
    await openPlace(page, 'GST returns');
    await page.getByLabel('Month').selectOption({ index: 0 });
    await page.getByText('It can be downloaded when the month is over.').waitFor();
    await page.getByRole('link', { name: /documents of 7/ }).click();
    await page.getByRole('cell', { name: /^CN\// }).first().waitFor();
    for (const width of [widths.phone, widths.tablet, widths.desktop]) {
      await page.setViewportSize({ width, height: 900 });
      await checkScreen(page);
    }
    await findsTheCreditNote(person, '₹1,180');
  });

  it('above it only when another admin approves, never by who asked', async () => {
    const person = await newSubscriber(yearly);
    const reason = `Bought by mistake ${person.mobile}`;
    await askForMoney(person, reason, { button: 'Give ₹1,59,300 back and end the plan' });
    await openPlace(page, 'Approvals');
    const mine = request(page, reason);
    await mine.getByText('You asked for it, so another admin decides.').waitFor();
    await mine.getByText('With this all of the payment is back, and what it bought ends that day.').waitFor();
    await mine.getByRole('button', { name: /^Withdraw/ }).waitFor();
    await expect.poll(() => mine.getByRole('button').count()).toBe(1);
    expect(await approveAnyway()).toEqual([403, 'own_request']);
    expect(await givenBack(person)).toEqual([]);
    await decideAsAnother(reason, 'Approve', 'Checked with the customer');
    await findCustomer(page, person.mobile);
    await isBack(page, person, '159300.00');
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
      await actOnEntry(page, 'Refund or credit note');
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
        page,
        page.getByRole('dialog'),
        `Agreed with the customer ${person.mobile}`,
        goesOn ? 'Book ₹14,750 as paid back and keep the plan' : 'Give ₹14,750 back and end the plan',
      );
      await isSent();
      if (!goesOn) await isBack(page, person, '14750.00');
      await findCustomer(page, person.mobile);
      await page.getByText('refunded').first().waitFor({ timeout: 180_000 });
      if (!goesOn) await page.getByText('Plan: revoked').waitFor();

      const own = await openBrowser({ width: widths.phone });
      await signIn(own.page, person);
      await own.page.goto('/dashboard');
      await own.page
        .getByText(goesOn ? /Renews on/ : /^Your plan ended on /)
        .first()
        .waitFor();
      if (goesOn) await expect.poll(() => own.page.getByText(/Plan Expired/).count()).toBe(0);
      await own.close();
      expect(own.faults).toEqual([]);

      await openPlace(page, 'Approvals');
      await request(page, `Agreed with the customer ${person.mobile}`)
        .getByText(goesOn ? 'Booked' : 'Done', { exact: true })
        .waitFor();
      await checkScreen(page);
    }
  });
});
