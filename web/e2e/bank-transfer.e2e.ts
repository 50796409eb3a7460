import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { LanguageCode } from '../src/lib/languages';
import { inBrowser, openBrowser, widths } from './support/browser';
import { customerOf, newCustomer, saveAddress } from './support/customer';
import { press, retype, typeInto } from './support/keyboard';
import { clockNow, newPerson } from './support/people';
import { choosePlan, signIn } from './support/shop';
import { because, signInStaff, staff } from './support/staff';
import { checkFromTop, openIn } from './support/subscriber';

let page: Page;

inBrowser({ width: widths.phone }, (session) => (page = session.page));

/** What a customer reads and presses, in the order of the flow. */
const words = {
  en: {
    pay: 'View Details',
    offer: 'Pay by bank transfer (NEFT, RTGS or IMPS)',
    po: 'Your purchase order number',
    ask: 'Get the bank details',
    waits: 'Waiting for your transfer',
    account: 'Transfer to this account',
    deducted: 'At 10 %: deduct ₹13,500, transfer ₹1,45,800.',
    utr: 'Number of the transfer (UTR)',
    tell: 'Tell us the number',
    noUtr: 'A UTR has 6 to 35 letters and digits. Your bank shows it beside the transfer.',
    told: 'Change the number',
    arrived: 'The money has arrived, and your plan is active. The tax invoice is in your payments.',
    payments: 'See your payments',
    invoice: /^Download invoice FP/,
  },
  hi: {
    pay: 'विवरण देखें',
    offer: 'बैंक ट्रांसफ़र (NEFT, RTGS या IMPS) से भुगतान करें',
    po: 'आपका ख़रीद ऑर्डर नंबर',
    ask: 'बैंक विवरण पाएँ',
    waits: 'आपके ट्रांसफ़र का इंतज़ार',
    account: 'इस खाते में ट्रांसफ़र करें',
    deducted: '10 % पर: ₹13,500 काटें, ₹1,45,800 ट्रांसफ़र करें।',
    utr: 'ट्रांसफ़र का नंबर (UTR)',
    tell: 'नंबर बताएँ',
    noUtr: 'UTR में 6 से 35 अक्षर और अंक होते हैं। आपका बैंक इसे ट्रांसफ़र के साथ दिखाता है।',
    told: 'नंबर बदलें',
    arrived: 'रकम मिल गई है और आपका प्लान चालू है। टैक्स इनवॉइस आपके भुगतानों में है।',
    payments: 'अपने भुगतान देखें',
    invoice: /FP\/\d\d-\d\d\/\d{6}/,
  },
} satisfies Record<LanguageCode, object>;

interface Bill {
  page: Page;
  language: LanguageCode;
  path: string;
  utr: string;
}

/** A customer asks for a yearly bill to be paid by transfer, reads where to and how much, and tells the number. */
async function orders(page: Page, language: LanguageCode): Promise<Bill> {
  const person = newPerson();
  const [customer, context] = await newCustomer(person);
  await saveAddress(customer);
  await context.dispose();
  await openIn(page, 'en', '/login');
  await signIn(page, person);
  await choosePlan(page, 'Start up');
  const say = words[language];
  await openIn(page, language, new URL(page.url()).pathname + new URL(page.url()).search);
  await page.getByRole('button', { name: say.pay }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: say.offer }).click();
  await dialog.getByText(say.ask).waitFor();
  await checkFromTop(page);
  await dialog.getByLabel(say.po).fill('PO 4711');
  await press(page, 'button', say.ask);

  await page.waitForURL(/\/subscription_list\/transfers\//);
  await page.getByText(say.waits).waitFor();
  const account = page.getByRole('region', { name: say.account });
  for (const text of ['50200012345678', 'HDFC0000360', 'Franchise 360 Private Limited', '₹1,59,300'])
    await account.getByText(text).waitFor();
  await account.getByText(say.deducted).waitFor();
  await page.getByText('PO 4711').waitFor();
  await page.getByRole('button', { name: /PDF.* PF\/\d\d-\d\d\/\d{6}$/ }).waitFor();
  await checkFromTop(page);

  await typeInto(page, say.utr, 'four');
  await press(page, 'button', say.tell);
  await page.getByText(say.noUtr).first().waitFor();
  await checkFromTop(page);
  const utr = `HDFCR5${person.mobile}`;
  await retype(page, say.utr, utr);
  await press(page, 'button', say.tell);
  await page.getByRole('button', { name: say.told }).waitFor();
  const path = new URL(page.url()).pathname.replace(/^\/hi/, '');
  return { page, language, path, utr };
}

/** Staff take both credits from the bank's statement: one of the exact amount, one less 10 % income tax. */
async function staffImport(exact: Bill, less: Bill): Promise<void> {
  const desk = await openBrowser({ width: widths.phone });
  await signInStaff(desk.page, staff.admin, '/support/transfers?tab=statement');
  const day = new Date((await clockNow()).getTime() + 19_800_000).toISOString().slice(0, 10);
  const csv = `Date,Narration,UTR,Credit\n${day},NEFT CR,${exact.utr},"1,59,300.00"\n${day},NEFT CR,${less.utr},"1,45,800.00"\n`;
  await desk.page
    .getByLabel('Statement as CSV')
    .setInputFiles({ name: 'statement.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
  const rows = desk.page.getByRole('table', { name: 'Credits of the statement' });
  await rows.getByText('less 10 % income tax').waitFor();
  await checkFromTop(desk.page);
  await press(desk.page, 'button', 'Enter 2 credits');
  await desk.page.getByRole('dialog', { name: 'Enter 2 credits?' }).waitFor();
  await checkFromTop(desk.page);
  await because(desk.page, 'Statement of today');
  await desk.page.getByRole('dialog').waitFor({ state: 'detached' });
  await desk.close();
  expect(desk.faults).toEqual([]);
}

/** A colleague says which bill the credit pays, with the tax that was deducted. */
async function colleagueAssigns({ utr }: Bill): Promise<void> {
  const desk = await openBrowser({ width: widths.phone, dark: true });
  await signInStaff(desk.page, staff.secondAdmin, '/support/transfers');
  const row = desk.page.getByRole('row').filter({ hasText: utr });
  await row.getByText('with the number that the customer told').waitFor();
  await checkFromTop(desk.page);
  await row.getByRole('button', { name: /^Assign to PF/ }).click();
  const dialog = desk.page.getByRole('dialog');
  expect(await dialog.getByLabel('Income tax that was deducted, in rupees').inputValue()).toBe('13500.00');
  await checkFromTop(desk.page);
  await dialog.getByLabel('Reason', { exact: true }).fill('The narration names the bill');
  await desk.page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await desk.close();
  expect(desk.faults).toEqual([]);
}

/** The customer sees the plan active, and downloads the tax invoice. */
async function isActive({ page, language, path }: Bill): Promise<void> {
  const say = words[language];
  const bill = path.slice(path.lastIndexOf('/') + 1);
  await expect
    .poll(async () => (await customerOf(page.request).call<{ state: string }>('GET', `/transfers/${bill}`)).state, {
      timeout: 60_000,
    })
    .toBe('paid');
  await openIn(page, language, path);
  await page.getByText(say.arrived).waitFor();
  await checkFromTop(page);
  await page.getByRole('link', { name: say.payments }).click();
  const link = page.waitForResponse((answer) => answer.url().includes('/subscription/invoice/'));
  await page.getByRole('button', { name: say.invoice }).click();
  const { data } = (await (await link).json()) as { data: { invoice: string } };
  const pdf = await page.request.get(data.invoice);
  expect(pdf.headers()['content-type']).toBe('application/pdf');
  await checkFromTop(page);
}

it(
  'a yearly bill is paid by bank transfer, less tax in English and exactly in Hindi',
  { timeout: 600_000 },
  async () => {
    const less = await orders(page, 'en');
    const other = await openBrowser({ width: widths.phone });
    const exact = await orders(other.page, 'hi');
    await staffImport(exact, less);
    await isActive(exact);
    await other.close();
    expect(other.faults).toEqual([]);
    await colleagueAssigns(less);
    await isActive(less);
  },
);
