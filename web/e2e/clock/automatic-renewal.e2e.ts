import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { LanguageCode } from '../../src/lib/languages';
import { inBrowser, openBrowser, widths } from '../support/browser';
import { customerOf } from '../support/customer';
import { clockNow, messagesTo, smsPath, type Person } from '../support/people';
import { checkScreen, signIn } from '../support/shop';
import { checkFromTop, daysPass, newSubscriber, openIn, timePasses } from '../support/subscriber';
import { wordsIn, type Words } from '../support/words';
import { ownStack } from '../support/own-stack';

const HOUR = 3600;
const PATH = '/dashboard/automatic-renewal';

let page: Page;

interface Renewal {
  mandate: { id: string; state: string; next_debit: { on: string } | null } | null;
  debits: { state: string }[];
}

const standing = () => customerOf(page.request).call<Renewal>('GET', '/subscription/automatic-renewal');
const newest = async () => (await standing()).debits[0]?.state;
const button = (name: string) => page.getByRole('button', { name, exact: true });

/** The id of the person's mandate at the gateway. */
async function mandateOf({ mobile }: Person): Promise<string> {
  const answer = await fetch(`${ownStack().gateway}/sandbox/mandates`);
  const all = (await answer.json()) as { mihpayid: string; phone: string }[];
  return all.find(({ phone }) => phone.endsWith(mobile))?.mihpayid ?? expect.fail(`no mandate of ${mobile}`);
}

/** Decides how the next debit of the person's mandate ends. */
async function nextDebitIs(person: Person, next: string): Promise<void> {
  const answer = await fetch(`${ownStack().gateway}/sandbox/mandates/${await mandateOf(person)}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ next }),
  });
  expect(answer.status, await answer.text()).toBe(200);
}

/** Advances the clock to that many days before the next debit, at ten in the morning. */
async function untilDaysBefore(person: Person, days: number): Promise<void> {
  const on = (await standing()).mandate?.next_debit?.on ?? expect.fail('no debit is expected');
  const today = new Date((await clockNow()).getTime() + 19_800_000).toISOString().slice(0, 10);
  await daysPass(page, person, Math.round((Date.parse(on) - Date.parse(today)) / 86_400_000) - days);
}

/**
 * Waits for the newest debit's state. A step that failed, because another job held the customer's rows, is tried again after minutes of
 * the product's clock, which has to pass.
 */
async function newestIs(person: Person, state: string): Promise<void> {
  await expect
    .poll(
      async () => {
        const found = await newest();
        if (found !== state) await timePasses(page, person, HOUR / 12);
        return found;
      },
      { timeout: 240_000, interval: 20_000 },
    )
    .toBe(state);
}

/** Runs the day of an announced debit: announced to the bank, requested during NPCI's hours, and decided. */
async function debitDay(person: Person): Promise<void> {
  await untilDaysBefore(person, 3);
  await newestIs(person, 'noticed');
  await untilDaysBefore(person, 0);
  await timePasses(page, person, 4 * HOUR); // the morning's peak is over
  for (let tries = 0; tries < 4 && ['noticed', 'asked'].includes((await newest()) ?? ''); tries += 1)
    await timePasses(page, person, HOUR / 4);
}

/** Authorises UPI AutoPay and pays the open renewal, on the gateway's page. */
async function setUp(language: LanguageCode, t: Words): Promise<void> {
  await openIn(page, language, PATH);
  await button(t('Use {0}', 'UPI AutoPay')).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('checkbox').waitFor();
  await expect.poll(() => dialog.getByRole('checkbox').isChecked()).toBe(false);
  await checkScreen(page);
  await dialog.getByRole('checkbox').check();
  await dialog.getByRole('button', { name: t('Pay {0} and agree', '₹14,750') }).click();
  await page.getByRole('heading', { name: 'Complete your payment' }).waitFor();
  const upi = page.getByLabel(/UPI/).first();
  if (await upi.count()) await upi.check().catch(() => undefined);
  await page.getByRole('button', { name: /^Pay ₹/ }).click();
  await page.waitForURL(/\/checkout\/result\//);
  await expect.poll(async () => (await standing()).mandate?.state, { timeout: 180_000 }).toBe('active');
}

/** What the SMS say. */
const sms = {
  en: {
    announced: /renews your plan automatically: Rs 14,750 is debited on .*Skip, stop or pay now/,
    paid: /^Franchise 360 debited Rs 14,750 and renewed /,
    failed: 'there was not enough money',
  },
  hi: {
    announced: /अपने आप रिन्यू करेगा: .*14,750 की कटौती होगी.*अभी भुगतान करें/,
    paid: /^Franchise 360: .*14,750 की कटौती हुई और .* रिन्यू हो गया/,
    failed: 'खाते में पर्याप्त रकम नहीं थी',
  },
};

/** Opens the page and waits for the text. */
async function says(language: LanguageCode, text: string | RegExp): Promise<void> {
  await openIn(page, language, PATH);
  await page.getByText(text).first().waitFor();
  await checkFromTop(page);
}

describe.each(['en', 'hi'] as const)('automatic renewal in %s', (language) => {
  const t = wordsIn(language);
  inBrowser({ width: widths.phone }, (session) => (page = session.page));

  it('is set up, announced, skipped and not skipped, debited, tried in vain, and stopped', async () => {
    const person = await newSubscriber({ plan: 'Start up', type: 'monthly' });
    await signIn(page, person);
    await daysPass(page, person, 24);
    await setUp(language, t);
    await says(language, t('On'));

    await untilDaysBefore(person, 7);
    await newestIs(person, 'planned');
    expect((await messagesTo(person.mobile)).map(({ body }) => body)).toContainEqual(
      expect.stringMatching(sms[language].announced),
    );
    await says(language, t('Skip this debit'));
    await button(t('Skip this debit')).click();
    await button(t('Undo the skip')).waitFor();
    await checkFromTop(page);
    await button(t('Undo the skip')).click();
    await button(t('Undo the skip')).waitFor({ state: 'detached' });
    await newestIs(person, 'planned');
    await says(language, t('Skip this debit'));

    await debitDay(person);
    expect(await newest()).toBe('paid');
    await says(language, t('Paid'));
    expect((await messagesTo(person.mobile)).map(({ body }) => body)).toContainEqual(
      expect.stringMatching(sms[language].paid),
    );

    await nextDebitIs(person, 'insufficient');
    await untilDaysBefore(person, 7);
    await newestIs(person, 'planned');
    await debitDay(person);
    expect(await newest()).toBe('failed');
    await says(language, t('there was not enough money'));
    const link = await smsPath(person.mobile, /\/p\/[\w-]{38}/);
    expect((await messagesTo(person.mobile))[0]?.body).toContain(sms[language].failed);
    const payer = await openBrowser({ width: widths.phone });
    await payer.page.goto(link);
    await payer.page.getByRole('button', { name: 'Pay ₹14,750' }).waitFor();
    await checkScreen(payer.page);
    await payer.close();

    await openIn(page, language, PATH);
    await button(t('Stop automatic renewal')).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t('Stop'), exact: true })
      .click();
    const stopped = t(
      'You stopped automatic renewal on {0}. Your bank has confirmed it. You pay renewals manually.',
      '§',
    );
    await page.getByText(stopped.split('§')[1]?.trim() ?? '').waitFor({ timeout: 180_000 });
    await page.getByText(t('You stopped it.')).waitFor();
    await checkFromTop(page);
    expect((await standing()).mandate?.state).toBe('revoked');
  }, 900_000);
});
