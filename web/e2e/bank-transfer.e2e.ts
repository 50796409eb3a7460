import { randomInt } from 'node:crypto';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { inBrowser, openBrowser, widths } from './support/browser';
import { customerOf, newCustomer, saveAddress } from './support/customer';
import { clockNow, newPerson, type Person } from './support/people';
import { choosePlan, heading, signIn } from './support/shop';
import { signInStaff, staff } from './support/staff';
import { checkFromTop, openIn, paymentDetails } from './support/subscriber';
import { wordsIn } from './support/words';

let page: Page;

const PO = 'PO/26-27/0815';
const dialog = (desk: Page) => desk.getByRole('dialog');

/** A signed-up person with an address and no plan, signed in in the page's browser. */
async function newBuyer(): Promise<Person> {
  const person = newPerson();
  const [customer, context] = await newCustomer(person);
  await saveAddress(customer);
  await context.dispose();
  await signIn(page, person);
  return person;
}

/** Does something on the console's page of bank transfers, on a phone. */
async function atDesk(who: { email: string; key: string }, act: (desk: Page) => Promise<void>): Promise<void> {
  const desk = await openBrowser({ width: widths.phone });
  try {
    await signInStaff(desk.page, who, '/support/transfers');
    await desk.page.getByRole('heading', { level: 1 }).waitFor();
    await act(desk.page);
  } finally {
    await desk.close();
  }
  expect(desk.faults).toEqual([]);
}

/** Finance enters a credit from the bank's statement. */
async function enterCredit(desk: Page, utr: string, amount: string, payer: string): Promise<void> {
  await desk.getByRole('tab', { name: 'Enter' }).click();
  const form = desk.getByRole('form', { name: 'Enter one credit' });
  await form.getByLabel('UTR').fill(utr);
  await form.getByLabel('Amount in rupees').fill(amount);
  const today = new Date((await clockNow()).getTime() + 19_800_000).toISOString().slice(0, 10);
  await form.getByLabel('Came in on').fill(today);
  await form.getByLabel('Payer (optional)').fill(payer);
  await checkFromTop(desk);
  await form.getByRole('button', { name: 'Enter' }).click();
  await dialog(desk).getByLabel('Reason', { exact: true }).fill('Statement of today');
  await dialog(desk).getByRole('button', { name: 'Enter' }).click();
  await dialog(desk).waitFor({ state: 'detached' });
}

const rowOf = (desk: Page, utr: string) =>
  desk.getByRole('row').filter({ has: desk.getByRole('rowheader', { name: utr }) });

/** Uses the credit for the suggested bill; the staff member who entered the credit needs a colleague to do this. */
async function assignCredit(desk: Page, utr: string, proforma: string): Promise<void> {
  await desk.getByRole('tab', { name: 'Came in' }).click();
  await checkFromTop(desk);
  await rowOf(desk, utr)
    .getByRole('button', { name: `Assign to ${proforma}` })
    .click();
  await dialog(desk).getByLabel('Reason', { exact: true }).fill('The narration names the bill');
  await dialog(desk).getByRole('button', { name: 'Ask for approval' }).click();
  await dialog(desk).waitFor({ state: 'detached' });
}

async function approveUse(desk: Page, utr: string): Promise<void> {
  await rowOf(desk, utr).getByRole('button', { name: 'Approve' }).click();
  await dialog(desk).getByLabel('Reason', { exact: true }).fill('Seen on the statement');
  await dialog(desk).getByRole('button', { name: 'Approve' }).click();
  await dialog(desk).waitFor({ state: 'detached' });
}

describe.each(['en', 'hi'] as const)('a bank transfer in %s', (language) => {
  const t = wordsIn(language);
  inBrowser({ width: widths.phone }, (session) => (page = session.page));

  it('buys a plan: proforma with the order number, UTR told, credit confirmed, plan active, invoice there', async () => {
    const person = await newBuyer();
    await choosePlan(page, 'Start up');
    const { pathname, search } = new URL(page.url());
    await openIn(page, language, pathname.replace(/^\/hi/, '') + search);
    await page.getByRole('button', { name: t('View Details') }).click();
    const details = page.getByRole('dialog', { name: t('Payment Details') });
    await details.getByRole('button', { name: t('Pay by bank transfer (NEFT, RTGS or IMPS)') }).click();
    await details.getByLabel(t('Your purchase order number')).fill(PO);
    await checkFromTop(page);
    await details.getByRole('button', { name: t('Get the bank details') }).click();

    await page.getByRole('heading', { level: 2, name: t('Transfer to this account') }).waitFor();
    const proforma = /PF\/\S+/.exec(await page.getByRole('heading', { level: 1 }).innerText())?.[0] ?? '';
    expect(proforma).not.toBe('');
    await page.getByText(PO).waitFor();
    await checkFromTop(page);
    const bill = page.url();
    const utr = `HDFCR5${randomInt(10_000_000, 100_000_000)}${person.mobile.slice(-6)}`;
    await page.getByLabel(t('UTR of the transfer')).fill(utr);
    await page.getByRole('button', { name: t('Tell us the UTR') }).click();
    await page.getByRole('button', { name: t('Change the UTR') }).waitFor();
    await checkFromTop(page);

    await atDesk(staff.admin, async (desk) => {
      await enterCredit(desk, utr, '1,59,300', 'ASHA SWEETS');
      await assignCredit(desk, utr, proforma);
    });
    await atDesk(staff.secondAdmin, (desk) => approveUse(desk, utr));

    const paid = page.getByText(
      t('The money has arrived, and your plan is active. The tax invoice is in your payments.'),
    );
    await expect
      .poll(
        async () => {
          await page.goto(bill);
          await page.getByRole('heading', { level: 1, name: proforma }).waitFor();
          await page.waitForLoadState('networkidle');
          return paid.count();
        },
        { timeout: 270_000, interval: 2000 },
      )
      .toBe(1);
    await checkFromTop(page);
    const { subscription } = await customerOf(page.request).call<{ subscription: { state: string } }>(
      'GET',
      '/subscription/dashboard',
    );
    expect(subscription.state).toBe('active');
    await openIn(page, language, '/subscription_list?tab=payments');
    await heading(page, t('Renewals and Billing'));
    await page
      .getByRole('button', { name: new RegExp(`(Download .* FP/|FP/\\S+ .*डाउनलोड)`) })
      .first()
      .waitFor();
    await checkFromTop(page);
    await paymentDetails(page).waitFor({ state: 'detached' });
  });
});

it('on a phone, finance says which column of a bank’s statement is which', async () => {
  const file = Buffer.from('Tithi,Vivaran,Rakam\n20-Nov-2026,NEFT-HDFCR52026112012345678-ASHA SWEETS,500.00\n');
  await atDesk(staff.admin, async (desk) => {
    await desk.getByRole('tab', { name: 'Enter' }).click();
    await desk
      .getByLabel('Statement as CSV or XLSX')
      .setInputFiles({ name: 'statement.csv', mimeType: 'text/csv', buffer: file });
    const choices = { 1: 'Day of the transaction', 2: 'Narration', 3: 'Money in' };
    for (const [column, kind] of Object.entries(choices)) {
      const choice = desk.getByLabel(new RegExp(`^Column ${column}, `));
      await choice.click({ trial: true, timeout: 30_000 });
      await choice.selectOption(kind);
    }
    await checkFromTop(desk);
    await desk.getByRole('button', { name: 'Read with these columns' }).click();
    await desk.getByRole('button', { name: 'Enter 1 credit' }).waitFor();
  });
});
